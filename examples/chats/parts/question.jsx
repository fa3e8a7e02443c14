// The form of a call of `ask_user` in a React page.
import { AskUser } from "ask-user/react";
import { storage } from "./page/tab.js";

/** `before` is how the call ended before the page was loaded: its receipt is shown, or nothing if the question was closed with its turn. */
export function Question({ toolCallId, request, before, deliver }) {
  if (before) return before.walk ? <AskUser receipt={{ request, walk: before.walk, toolCallId }} /> : null;
  return <AskUser label="Assistant" request={request} toolCallId={toolCallId} host={{ storage, deliver }} />;
}
