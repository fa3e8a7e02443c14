// The element as a component of React 18 and 19. React 18 gives a custom element no properties and no listeners; React 19 gives none to one
// that a server has rendered. The component does both by itself, after React has put the element on the page.
"use client";
import { createElement, forwardRef, useEffect, useImperativeHandle, useInsertionEffect, useLayoutEffect, useRef } from "react";
import "./ask-user.js";

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
  onDelivery: "delivery",
};

// React 18 warns of a layout effect on a server.
const useBrowserEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;

export const AskUser = forwardRef(function AskUser({ request, requests, receipt, drafts, host, walk, className, ...rest }, ref) {
  const own = useRef(null);
  /** The callbacks of what is on the page. A render that React gives up has none. */
  const latest = useRef(rest);
  /** What the element was given; undefined until it is heard. */
  const given = useRef();
  const passed = { ...rest };
  for (const name in { ...ATTRIBUTES, ...EVENTS }) delete passed[name];

  useInsertionEffect(() => {
    latest.current = rest;
  });
  useBrowserEffect(() => {
    const element = own.current;
    if (!given.current) {
      given.current = {};
      // They stay as long as the element: what is hidden for a while still has something to tell.
      for (const [prop, name] of Object.entries(EVENTS)) {
        element.addEventListener(`ask-user-${name}`, (event) => latest.current[prop]?.(event.detail, event));
      }
    }
    const before = given.current;
    given.current = { ...rest, request, requests, receipt, drafts, host, walk };
    for (const [prop, name] of Object.entries(ATTRIBUTES)) {
      const value = rest[prop];
      if (value === before[prop]) continue;
      if (value == null) element.removeAttribute(name);
      else element.setAttribute(name, value);
    }
    if (host !== before.host) element.host = host;
    if (drafts !== before.drafts) element.drafts = drafts;
    if (request !== before.request) element.request = request ?? undefined;
    if (requests !== before.requests) element.requests = requests;
    if (receipt !== before.receipt) element.receipt = receipt;
    if (walk !== before.walk && walk != null && !isBehind(walk, element.walk)) element.walk = walk;
  });
  useImperativeHandle(ref, () => own.current, []);
  return createElement("ask-user", { ...passed, class: className, ref: own });
});

/**
 * Whether a walk is of the very form that is open, and somebody has done something there. A page that keeps the walk in its state gives
 * it back later than the next key is pressed.
 */
function isBehind(walk, now) {
  const text = typeof walk === "string" ? walk : JSON.stringify(walk);
  return now?.nonce !== undefined && (now.log.length > 0 || !!now.typed) && text.includes(`"nonce":${JSON.stringify(now.nonce)}`);
}
