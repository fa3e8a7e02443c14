// The form of a call of `ask_user` in a React page.
import { AskUser } from "ask-user/react";
import { useEffect, useRef, useState } from "react";
import { storage } from "./page/tab.js";

/** The latest form that was taken away or rejected. If the model asks the same again, the next form starts from its drafts. */
let latest;

/**
 * `request` is the call's arguments, or a stream of their text; later values are ignored, because a call does not change. `before` is how the call ended before the page was
 * loaded: its receipt is shown, or nothing if the question was closed with its turn.
 */
export function Question({ toolCallId, request, before, deliver }) {
  const form = useRef(null);
  const [start] = useState(() => ({ request, drafts: latest?.drafts }));
  useEffect(() => {
    const element = form.current;
    return () => void (latest = element ?? latest);
  }, []);
  if (before) return before.walk ? <AskUser receipt={{ request, walk: before.walk, toolCallId }} /> : null;
  return <AskUser ref={form} label="Assistant" {...start} toolCallId={toolCallId} host={{ storage, deliver }} onRejected={() => void (latest = form.current)} />;
}
