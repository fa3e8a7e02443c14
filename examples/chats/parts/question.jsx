// The form of a call of `ask_user` in a React page.
import { AskUser } from "ask-user/react";
import { useEffect, useRef, useState } from "react";
import { storage } from "./page/tab.js";

/** What was answered or typed in a form that could not be sent. If the model asks the same again, the person does not start anew. */
let drafts;

/**
 * `request` is the call's arguments, or a stream of their text; later values are ignored, because a call does not change. `before` is how the call ended before the page was
 * loaded: its receipt is shown, or nothing if the question was closed with its turn.
 */
export function Question({ toolCallId, request, before, deliver }) {
  const form = useRef();
  const [start] = useState({ request, drafts });
  const keep = (element) => void (drafts = element?.drafts ?? drafts);
  useEffect(() => {
    const element = form.current;
    return () => keep(element);
  }, []);
  if (before) return before.walk ? <AskUser receipt={{ request, walk: before.walk, toolCallId }} /> : null;
  return <AskUser ref={form} label="Assistant" {...start} toolCallId={toolCallId} host={{ storage, deliver }} onRejected={() => keep(form.current)} />;
}
