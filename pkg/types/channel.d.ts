// A channel between a host and the page that shows its questions: `docs/messages.md` of the project has its messages.
import type { Dialect, EndDetail, Options, ReadyDetail, RecordDetail, SavedWalk, StepDetail } from "./ask-user.js";

export { RejectionError } from "./core.js";

/** Carries texts between the two ends, in their order: what a webview's bridge has to be made into. */
export interface Transport {
  post(text: string): void;
  /** Calls `heard` with each text of the other end; gives a function that ends it. */
  listen(heard: (text: string) => void): () => void;
}

/** Why a message had no effect. */
export interface Refused {
  code: "wrong_origin" | "malformed" | "too_large" | "out_of_order" | "repeated" | "too_many";
  message: string;
}

export interface ChannelOptions {
  /** Characters of a message. Default: 8,388,608. */
  limit?: number;
  /** Hears of every message that had no effect, here or at the other end. */
  refused?(fault: Refused): void;
}

/** `result` or `end_turn`, with the whole walk: what a host needs to read it again by `continued`. */
export interface ChannelEnd extends EndDetail {
  walk: SavedWalk;
}

export interface ChannelAskOptions {
  /** The host's options. */
  options?: Omit<Options, "dialect">;
  dialect?: Dialect;
  /** A walk to resume. */
  walk?: SavedWalk;
  /** Takes the question off the page when it is aborted; after the end, its receipt. */
  signal?: AbortSignal;
  /**
   * Takes the end: reads it again, stores it, and throws where it does not fit. `ask` is fulfilled after it, and the person sees "Sent" then. What it throws is
   * shown to the person, and the question stays open. The same end may come again, also after it was taken. Without it, nobody is told that an end arrived.
   */
  take?(end: ChannelEnd): void | Promise<void>;
  /** Hears what happens before the end. `walk` comes a quarter of a second after the last change: store it to resume. */
  on?<Name extends keyof ChannelEvents>(name: Name, detail: ChannelEvents[Name]): void;
}

export interface ChannelEvents {
  ready: ReadyDetail;
  step: StepDetail;
  record: RecordDetail;
  walk: { walk: SavedWalk };
}

export interface Channel {
  /**
   * Asks in the page. Fails with a RejectionError when the request becomes no form, with a TypeError for an option that does not exist, with a
   * RangeError when the request is larger than a message may be, with the signal's reason when it is aborted, and with an AbortError
   * when the channel is closed. A page that is loaded anew is asked again, from where the person was.
   */
  ask(request: unknown, options?: ChannelAskOptions): Promise<ChannelEnd>;
  /** Ends the channel; the page stays as it is. */
  close(): void;
}

/**
 * The host's end, to the page in another window.
 * @param options.origin the origin of that page, such as `https://forms.example`; `null` (the text) for an opaque one
 * @param options.size hears the height of the page's content, in CSS pixels
 * @throws {TypeError} for what is no origin, `*` included
 */
export function connect(to: Window, options: ChannelOptions & { origin: string; size?(height: number): void }): Channel;
/** The host's end, to whatever is at the other end of a port or a transport. */
export function connect(to: MessagePort | Transport, options?: ChannelOptions & { size?(height: number): void }): Channel;

/**
 * The page's end: puts an element for each question at the end of `parent`, by default of the body. The page has loaded `ask-user`.
 * @throws {TypeError} where it has not, and for what is no origin
 */
export function serve(
  options: ChannelOptions & { parent?: Element } & (
    /** The host is the window `host`, by default the one that holds this page, of this origin. */
    | { origin: string; host?: Window; transport?: undefined }
    | { transport: MessagePort | Transport; origin?: undefined; host?: undefined }
  ),
): { /** Takes all off the page. */ close(): void };
