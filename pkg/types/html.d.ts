// A form as HTML, before any script: `ask-user/html`, for Node.
import type { Options, Outcome } from "./core.js";

/** How a form is written: the options of the host, and these. */
export interface HtmlOptions extends Options {
  /** The saved walk to go on with. Default: a new one. */
  walk?: unknown;
  /** The secrets of the saved walk, by the ids of their questions. */
  secrets?: Record<string, string>;
  /** How the questions are laid out. Default: "auto". */
  layout?: "auto" | "steps" | "page" | "tabs";
  /** The language of `words` (BCP 47). */
  lang?: string;
  /** What the form says instead of its English words, by key. */
  words?: Record<string, string | Record<string, string>>;
  /** The URL that the form posts to. Without it, the form waits for a script. */
  action?: string;
  /** The nonce of the style element, for a content security policy. */
  styleNonce?: string;
  /** What time it is, in milliseconds since the beginning of 1970. After `expiresAt`, the form is written as expired, and `post` takes no answer. Default: `Date.now()`. */
  now?: number;
}

/** What became of a posted form. */
export interface Posted {
  /** The form as it is now: a `<template>`. */
  shadow: string;
  /** The saved walk, with what was typed beside it. `null` if the request was rejected. */
  walk: unknown;
  /** The secrets so far. Keep them in memory only. */
  secrets: Record<string, string>;
  /** How the form ended; `null` until then. */
  outcome: Outcome | null;
  /** Whether the walk had changed since the form was shown. Nothing was taken then. */
  isBehind: boolean;
  /** Whether `shadow` must be the response to this request, and not a redirect. */
  isAnswer: boolean;
}

/**
 * Writes a form as a declarative shadow root, to be the first child of `<ask-user>`.
 *
 * @throws TypeError if an option is wrong.
 */
export function render(request: unknown, options?: HtmlOptions): string;

/**
 * Takes what a form has posted: a URLSearchParams, a FormData, or any iterable of pairs.
 *
 * @throws TypeError if an option is wrong.
 */
export function post(fields: Iterable<[string, unknown]>, request: unknown, options?: HtmlOptions): Posted;
