// The element as a component of React 18 and 19. React 18 gives a custom element no properties and no listeners; React 19 gives none to one
// that a server has rendered. The component does both by itself, after React has put the element on the page.
"use client";
import { createElement, forwardRef, useEffect, useImperativeHandle, useInsertionEffect, useLayoutEffect, useRef } from "react";
import "./ask-user.js";

/**
 * @import { AskUser as AskUserElement } from "../types/ask-user.js"
 * @import { AskUserProps } from "../types/react.js"
 */

/**
 * The props that are attributes, callbacks, or passed to the element.
 * @typedef {{ [name: string]: any }} Props
 */

/** @type {{ [prop: string]: string }} */
const ATTRIBUTES = {
  dialect: "dialect",
  label: "label",
  toolCallId: "tool-call-id",
  respondUrl: "respond-url",
  cancelUrl: "cancel-url",
  saveUrl: "save-url",
  saveVersion: "save-version",
  eventsUrl: "events-url",
};
/** @type {{ [prop: string]: string }} */
const EVENTS = {
  onReady: "ready",
  onStep: "step",
  onDraft: "draft",
  onRecord: "record",
  onResult: "result",
  onEndTurn: "end-turn",
  onRejected: "rejected",
  onError: "error",
  onClosed: "closed",
  onFold: "fold",
  onDelivery: "delivery",
};

/** What a form belongs to. With another one of these the element begins anew; another host for the same call changes in place. */
const BEGINS = ["request", "requests", ...Object.keys(ATTRIBUTES).filter((name) => name !== "saveVersion" && name !== "eventsUrl")];
/** @type {(props: AskUserProps) => string | undefined} */
const callOf = ({ host }) => /** @type {{ tool_call_id?: string } | undefined} */ (host)?.tool_call_id ?? host?.toolCallId;
/**
 * A request may be made anew in each render. A stream is one of its own.
 * @type {(one: any, other: any) => boolean}
 */
const isSame = (one, other) => {
  if (one === other) return true;
  if (!one || !other || [one, other].some((request) => request.getReader ?? request[Symbol.asyncIterator])) return false;
  try {
    return JSON.stringify(one) === JSON.stringify(other);
  } catch {
    return false;
  }
};
/** @type {(one: Props, other: Props) => boolean} */
const isOfOneForm = (one, other) => BEGINS.every((name) => isSame(one[name], other[name])) && callOf(one) === callOf(other);

// React 18 warns of a layout effect on a server.
const useBrowserEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;

/** @type {typeof import("../types/react.js").AskUser} */
export const AskUser = forwardRef(function AskUser(/** @type {AskUserProps & Props} */ { request, requests, receipt, drafts, host, walk, foldable, folded, keepReceipts, className, ...rest }, ref) {
  const own = useRef(/** @type {AskUserElement | null} */ (null));
  /** The callbacks of the last render that React has kept, those of the form that is shown, and those of the endings that are on their way, by key. */
  const latest = useRef(/** @type {Props} */ (rest));
  const shown = useRef(/** @type {Props} */ (rest));
  const ended = useRef(new Map());
  /** What the element was given; undefined until it is heard. */
  const given = useRef(/** @type {Props | undefined} */ (undefined));
  const passed = /** @type {Props} */ ({ ...rest });
  for (const name in { ...ATTRIBUTES, ...EVENTS }) delete passed[name];

  useInsertionEffect(() => {
    latest.current = rest;
    // What is set holds once the element has begun with it: the form that is shown until then keeps its own callbacks. What is hidden is not set yet, and is heard all the same.
    if (given.current && isOfOneForm(given.current, { ...rest, request, requests, host })) shown.current = rest;
  });
  useBrowserEffect(() => {
    const element = /** @type {AskUserElement} */ (own.current);
    if (!given.current) {
      given.current = {};
      // They stay as long as the element: what is hidden for a while still has something to tell.
      for (const [prop, name] of Object.entries(EVENTS)) {
        element.addEventListener(`ask-user-${name}`, (event) => {
          const { detail } = /** @type {CustomEvent} */ (event);
          const { idempotencyKey: key } = detail ?? {};
          const callbacks = ended.current.get(key) ?? shown.current;
          if (key !== undefined) ended.current.set(key, callbacks);
          callbacks[prop]?.(detail, event);
        });
      }
      element.addEventListener("ask-user-begun", () => (shown.current = latest.current));
    }
    const before = given.current;
    given.current = { ...rest, request, requests, receipt, drafts, host, walk, foldable, folded, keepReceipts };
    for (const [prop, name] of Object.entries(ATTRIBUTES)) {
      const value = rest[prop];
      if (value === before[prop]) continue;
      if (value == null) element.removeAttribute(name);
      else element.setAttribute(name, value);
    }
    if (foldable !== before.foldable) element.toggleAttribute("foldable", Boolean(foldable));
    if (keepReceipts !== before.keepReceipts) element.toggleAttribute("keep-receipts", Boolean(keepReceipts));
    if (folded !== before.folded) element.folded = Boolean(folded);
    if (host !== before.host) element.host = host;
    if (drafts !== before.drafts) element.drafts = drafts;
    if (request !== before.request) element.request = request ?? undefined;
    if (requests !== before.requests) element.requests = requests;
    if (receipt !== before.receipt) element.receipt = receipt;
    if (walk !== before.walk && walk != null) element.walk = walk;
  });
  useImperativeHandle(ref, () => /** @type {AskUserElement} */ (own.current), []);
  return createElement("ask-user", { ...passed, class: className, ref: own });
});
