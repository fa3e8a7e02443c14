// <ask-user> as a component of React 18 and 19.
import type { CSSProperties, ForwardRefExoticComponent, RefAttributes } from "react";
import type {
  AskUser as AskUserElement, AskUserEventMap, ClosedDetail, DeliveryDetail, Dialect, Drafts, DueRequest, EndDetail, ErrorDetail, FoldDetail, Host, ReadyDetail, Receipt, RecordDetail, RejectedDetail,
  SavedWalk, StepDetail,
} from "./ask-user.js";

export type * from "./core.js";
export type {
  AskUserElement, AskUserEventMap, ClosedDetail, DeliveryDetail, DueRequest, EndDetail, ErrorDetail, FoldDetail, Host, ReadyDetail, Receipt, RecordDetail, RejectedDetail, StepDetail,
};

/** An event of the element; its target is the element. */
export type AskUserEvent<Name extends keyof AskUserEventMap> = AskUserEventMap[Name] & { readonly target: AskUserElement };

/** The props of `AskUser`. A callback gets the event's detail, then the event; the callback of the latest render is called. */
export interface AskUserProps {
  /**
   * The request of the agent: a value, or JSON text. Nothing is shown without one. It may be made anew in every render: an equal one changes
   * nothing, and another one begins another form.
   */
  request?: unknown;
  /** Several requests that are due at once, in place of `request`: one form after the other. The list may be made anew in every render. */
  requests?: readonly DueRequest[];
  /** A saved walk to show read-only, in place of a request. It may be made anew in every render. */
  receipt?: Receipt | null;
  /** What the same questions start from. The element keeps it by itself between its own requests. */
  drafts?: Drafts | null;
  /** The host's options. They may be made anew in every render, functions included. */
  host?: Host;
  /**
   * The saved walk to go on with. A page may keep what the form gives (`event.target.walk`, in `onDraft` and `onStep`) and pass it back: once
   * the person has done something, an older walk of the same form is passed over. Give the component another `key` to go back to one.
   */
  walk?: SavedWalk | string | null;
  /** The dialect of the request; detected from its shape without it. */
  dialect?: Dialect;
  /** Who asks, as the person reads it. */
  label?: string;
  /** The id of the tool call, for records and the idempotency key. */
  toolCallId?: string;
  /** Where the result is sent by POST, again until it arrives, under one idempotency key. */
  respondUrl?: string;
  /** Where the end of the turn is sent. */
  cancelUrl?: string;
  /** Where the element keeps how far the person has come. */
  saveUrl?: string;
  /** The ETag of the walk that was set. */
  saveVersion?: string;
  /** A stream of server-sent events from which the element hears of questions. */
  eventsUrl?: string;
  /** "off" turns off the shortcuts with single letters and digits. */
  shortcuts?: "off";
  /** Less or more space between parts and in rows. */
  density?: "compact" | "spacious";
  /** Whether the person can put the form away. */
  foldable?: boolean;
  /** Whether the receipts of what has ended stay above what comes next. */
  keepReceipts?: boolean;
  /** Whether the form is put away. */
  folded?: boolean;
  className?: string;
  style?: CSSProperties;
  id?: string;
  /** The request is accepted. */
  onReady?(detail: ReadyDetail, event: AskUserEvent<"ask-user-ready">): void;
  /** Something new is shown. */
  onStep?(detail: StepDetail, event: AskUserEvent<"ask-user-step">): void;
  /** Something was typed and not answered yet: `event.target.walk` has it. */
  onDraft?(detail: Record<string, never>, event: AskUserEvent<"ask-user-draft">): void;
  /** A line of the audit trail. Told though the component is hidden. */
  onRecord?(detail: RecordDetail, event: AskUserEvent<"ask-user-record">): void;
  /** The walk has ended with a result. */
  onResult?(detail: EndDetail, event: AskUserEvent<"ask-user-result">): void;
  /** The person ended the turn. */
  onEndTurn?(detail: EndDetail, event: AskUserEvent<"ask-user-end-turn">): void;
  /** The request became no form. */
  onRejected?(detail: RejectedDetail, event: AskUserEvent<"ask-user-rejected">): void;
  /** The host's own fault, such as an option that does not exist; nothing is shown. */
  onError?(detail: ErrorDetail, event: AskUserEvent<"ask-user-error">): void;
  /** The host that is heard says that the question is no longer open. */
  onClosed?(detail: ClosedDetail, event: AskUserEvent<"ask-user-closed">): void;
  /** The form was put away, or came back. A page that passes `folded` takes it up. */
  onFold?(detail: FoldDetail, event: AskUserEvent<"ask-user-fold">): void;
  /** How the delivery of the end goes, as long as the component is there; afterwards the document hears it. */
  onDelivery?(detail: DeliveryDetail, event: AskUserEvent<"ask-user-delivery">): void;
}

/** The element as a component. Its `ref` is the element: `ref.current.walk`, `ref.current.focus()`. */
export declare const AskUser: ForwardRefExoticComponent<AskUserProps & RefAttributes<AskUserElement>>;
