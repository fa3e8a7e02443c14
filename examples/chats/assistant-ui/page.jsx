// The chat with the components of assistant-ui. The tool UI of `ask_user` is the form. Its result becomes the output of the tool. The page keeps the chat.
import { Chat, useChat } from "@ai-sdk/react";
import { AssistantRuntimeProvider, ComposerPrimitive, MessagePrimitive, ThreadPrimitive } from "@assistant-ui/react";
import { useAISDKRuntime } from "@assistant-ui/react-ai-sdk";
import { DefaultChatTransport, isToolUIPart, lastAssistantMessageIsCompleteWithToolCalls } from "ai";
import { StrictMode, createContext, useContext, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import "../parts/page/chat.css";
import { id, storage } from "../parts/page/tab.js";
import { Question } from "../parts/question.jsx";
import { complete, fetchCalls, textOf } from "../parts/writing.js";

/** What the tab keeps: the messages, and by tool call id how questions ended. */
const saved = JSON.parse(storage.get(`chat ${id}`)) ?? { messages: [], ends: {} };
const now = { ends: saved.ends };
const save = () => storage.set(`chat ${id}`, JSON.stringify({ messages: chat.messages, ...now }));

/** What is complete of the messages. The model is asked again for what it was writing when the page was reloaded or the connection broke off. */
const completed = (messages) => messages.map(complete).filter(({ parts }) => parts.length);
const chat = new Chat({
  id,
  messages: completed(saved.messages),
  transport: new DefaultChatTransport({ api: "/api/chat", fetch: fetchCalls }),
  sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
});
/** Whether the model should have continued, but the page was reloaded before. */
let isDue = chat.lastMessage?.role === "user" || lastAssistantMessageIsCompleteWithToolCalls(chat);

const stateOf = (toolCallId) => chat.messages.flatMap(({ parts }) => parts).find((part) => part.toolCallId === toolCallId)?.state;
const isEnded = ({ parts }, ends) => parts.some(({ toolCallId }) => ends[toolCallId]?.isTurnEnded);
/** How questions ended, and a function that is told of an end. */
const Ends = createContext(undefined);

/** The tool UI of `ask_user`. */
function AskUserTool({ toolCallId, args, isError }) {
  const { ends, onEnd } = useContext(Ends);
  const isWriting = stateOf(toolCallId) === "input-streaming";
  // What was being written when the connection broke off is not shown any more.
  const isCut = isWriting && chat.status !== "streaming";
  const request = isWriting ? textOf(toolCallId) : args;
  /** Takes the end of the form to the chat. The form says "Sent" once it is saved. */
  async function deliver({ outcome, result, response }) {
    const isTurnEnded = outcome.ends === "turn_ended";
    onEnd(toolCallId, { walk: response.walk, isTurnEnded });
    // After "End turn" the model gets no result, and does not continue.
    if (!isTurnEnded) await chat.addToolOutput({ tool: "ask_user", toolCallId, output: result });
    save();
  }
  const isClosed = !ends[toolCallId] && chat.messages.some((message) => isEnded(message, ends) && message.parts.some((part) => part.toolCallId === toolCallId));
  if (isError || isCut || isClosed || !request) return null;
  return <Question toolCallId={toolCallId} request={request} before={saved.ends[toolCallId]} deliver={deliver} />;
}

const Text = ({ text }) => <p>{text}</p>;
const parts = { Text, tools: { by_name: { ask_user: AskUserTool } } };
const Message = ({ role }) => (
  <MessagePrimitive.Root data-role={role}>
    <MessagePrimitive.Parts components={parts} />
  </MessagePrimitive.Root>
);
const messages = { UserMessage: () => <Message role="user" />, AssistantMessage: () => <Message role="assistant" /> };

function Page() {
  const state = useChat({ chat });
  const [ends, setEnds] = useState(saved.ends);
  const onEnd = (toolCallId, end) => {
    now.ends = { ...now.ends, [toolCallId]: end };
    setEnds(now.ends);
  };
  const last = state.messages.at(-1);
  const isAsking = !!last && !isEnded(last, ends) && last.parts.some((part) => isToolUIPart(part) && part.state === "input-available");
  // Without this, a message after "End turn" would give the model a result that nobody gave.
  const runtime = useAISDKRuntime(state, { cancelPendingToolCallsOnSend: false, isSendDisabled: isAsking });
  useEffect(save, [state.messages]);
  useEffect(() => {
    if (isDue) chat.sendMessage();
    isDue = false;
  }, []);
  const retry = () => {
    chat.messages = completed(chat.messages);
    chat.sendMessage();
  };
  return (
    <Ends.Provider value={{ ends, onEnd }}>
      <AssistantRuntimeProvider runtime={runtime}>
        <ThreadPrimitive.Root>
          <h1>Chat</h1>
          <ThreadPrimitive.Messages components={messages} />
          {state.status === "error" && (
            <p role="alert">
              {state.error.message} <button onClick={retry}>Try again</button>
            </p>
          )}
          <ComposerPrimitive.Root>
            <ComposerPrimitive.Input aria-label="Message" rows={1} />
            <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
          </ComposerPrimitive.Root>
        </ThreadPrimitive.Root>
      </AssistantRuntimeProvider>
    </Ends.Provider>
  );
}

createRoot(document.getElementById("root")).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
