// The chat: each question of the model is a form in its message. The result of the form becomes the output of the tool, and the model continues.
import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithToolCalls } from "ai";
import { StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import "../parts/page/chat.css";
import { id } from "../parts/page/tab.js";
import { Question } from "../parts/question.jsx";
import { complete, fetchCalls, textOf } from "../parts/writing.js";

const api = `/api/chat/${id}`;
const transport = new DefaultChatTransport({
  fetch: fetchCalls,
  // The server has the messages. It gets the new one, or none after an answer.
  prepareSendMessagesRequest: ({ messages }) => ({ api, body: { message: messages.at(-1).role === "user" ? messages.at(-1) : undefined } }),
  prepareReconnectToStreamRequest: () => ({ api: `${api}/stream` }),
});

const saved = await (await fetch(api)).json();
/** A message that the model was writing when the page was loaded. The resumed stream has only the new parts of it, and the SDK replaces the message with these. */
const resumed = saved.isStreaming && saved.messages.at(-1).role === "assistant" ? saved.messages.pop() : undefined;
const partsOf = ({ id, parts }) => (id === resumed?.id ? [...resumed.parts, ...parts] : parts);
/** Whether the model should have continued: the page was reloaded before it was asked, or that had failed. */
const isComplete = (message) => message?.role === "user" || lastAssistantMessageIsCompleteWithToolCalls({ messages: [message].filter(Boolean) });
let isDue = !saved.isStreaming && isComplete(saved.messages.at(-1));

function Chat() {
  const chat = useChat({ id, messages: saved.messages, transport, resume: saved.isStreaming, sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls });
  const [ends, setEnds] = useState(saved.ends);
  const [text, setText] = useState("");

  useEffect(() => {
    if (isDue) chat.sendMessage();
    isDue = false;
  }, []);

  /** Takes the end of a form to the server, and then to the chat. */
  async function deliver({ toolCallId, response, idempotencyKey }, { signal }) {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": idempotencyKey };
    const sent = await fetch(`${api}/answers/${toolCallId}`, { method: "POST", headers, body: JSON.stringify(response), signal });
    const end = await sent.json();
    if (!sent.ok) throw new Error(end.message);
    setEnds((ends) => ({ ...ends, [toolCallId]: end }));
    // After "End turn" the model gets no result, and does not continue.
    if (!end.isTurnEnded) await chat.addToolOutput({ tool: "ask_user", toolCallId, output: end.output });
  }

  const last = chat.messages.at(-1);
  const isEnded = (message) => partsOf(message).some(({ toolCallId }) => ends[toolCallId]?.isTurnEnded);
  const question = (message, { toolCallId, state, input }) => {
    // What was being written when the connection broke off is not shown any more.
    const isWriting = state === "input-streaming" && chat.status === "streaming";
    const request = state === "input-streaming" ? isWriting && textOf(toolCallId) : input;
    if (!request || state === "output-error" || (isEnded(message) && !ends[toolCallId])) return null;
    return <Question key={toolCallId} toolCallId={toolCallId} request={request} before={saved.ends[toolCallId]} deliver={deliver} />;
  };

  const isAsking = !!last && !isEnded(last) && partsOf(last).some(({ type, state }) => type === "tool-ask_user" && state === "input-available");
  const isReady = (chat.status === "ready" || chat.status === "error") && !isAsking;
  const retry = () => {
    chat.setMessages((messages) => messages.map(complete));
    chat.sendMessage();
  };
  const send = (event) => {
    event.preventDefault();
    chat.sendMessage({ text });
    setText("");
  };
  return (
    <main>
      <h1>Chat</h1>
      {chat.messages.map((message) => (
        <article key={message.id} data-role={message.role}>
          {partsOf(message).map((part, at) => (part.type === "text" ? <p key={at}>{part.text}</p> : part.type === "tool-ask_user" ? question(message, part) : null))}
        </article>
      ))}
      {chat.status === "error" && (
        <p role="alert">
          {chat.error.message} <button onClick={retry}>Try again</button>
        </p>
      )}
      <form onSubmit={send}>
        <input name="message" aria-label="Message" value={text} onChange={({ target }) => setText(target.value)} />
        <button disabled={!isReady || !text}>Send</button>
      </form>
    </main>
  );
}

createRoot(document.getElementById("root")).render(
  <StrictMode>
    <Chat />
  </StrictMode>,
);
