// The chat with CopilotKit. `useHumanInTheLoop` shows each call of `ask_user` as a form and waits for its result. The runtime keeps the messages; the tab keeps how its
// questions ended, because the runtime hears of a result only with the next run.
import { CopilotKitProvider, useAgent, useCopilotKit, useHumanInTheLoop, useRenderToolCall } from "@copilotkit/react-core/v2";
import { StrictMode, createContext, useContext, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import "../parts/page/chat.css";
import { id, storage } from "../parts/page/tab.js";
import { Question } from "../parts/question.jsx";
import { readCalls, textOf } from "../parts/writing.js";

/** By tool call id how questions ended before the page was loaded. */
const before = JSON.parse(storage.get(`ends ${id}`)) ?? {};
/** What the tool UI needs: the messages, how questions ended, and a function that is told of an end. */
const Conversation = createContext(undefined);

/** Whether the arguments of a call are there to their end. */
const isWhole = (call) => {
  try {
    return typeof JSON.parse(call.function.arguments) === "object";
  } catch {
    return false;
  }
};
const callOf = (messages, id) => messages.flatMap(({ toolCalls = [] }) => toolCalls).find((call) => call.id === id);
const resultOf = (messages, call) => messages.find(({ role, toolCallId }) => role === "tool" && toolCallId === call.id);
const isEnded = ({ toolCalls = [] }, ends) => toolCalls.some(({ id }) => ends[id]?.isTurnEnded);

/** The tool UI of `ask_user`. CopilotKit runs the calls of a reply one after the other; a result waits until its call is run. */
function AskUserTool({ toolCallId, status, respond }) {
  const { messages, ends, onEnd } = useContext(Conversation);
  const call = callOf(messages, toolCallId);
  const end = ends[toolCallId];
  const isDue = status === "executing" && !!end && !end.isTurnEnded;
  useEffect(() => {
    if (isDue) setTimeout(() => respond(end.output));
  }, [isDue]);
  const isClosed = !end && messages.some((message) => message.toolCalls?.includes(call) && isEnded(message, ends));
  const request = isWhole(call) ? call.function.arguments : textOf(toolCallId);
  if (isClosed || !request) return null;
  return <Question toolCallId={toolCallId} request={request} before={before[toolCallId]} deliver={onEnd} />;
}

function Chat() {
  const { agent, isReady } = useAgent();
  const { copilotkit } = useCopilotKit();
  const renderToolCall = useRenderToolCall();
  const [ends, setEnds] = useState(before);
  const [isConnected, setConnected] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const [text, setText] = useState("");
  // The server gives the model the tool.
  useHumanInTheLoop({ name: "ask_user", render: AskUserTool });

  /** Whether the model should continue: there is a message of the person, or a result of each call. */
  const isComplete = () => {
    const last = agent.messages.findLast(({ role }) => role !== "tool");
    return !!last && (last.role === "user" || (!!last.toolCalls?.length && last.toolCalls.every((call) => resultOf(agent.messages, call))));
  };
  /** Runs the agent until it has ended. CopilotKit does not continue by itself after arguments that are not JSON. */
  async function run() {
    let error = false;
    const { unsubscribe } = copilotkit.subscribe({ onError: ({ code }) => void (error ||= code.startsWith("agent_")) });
    setFailed(false);
    do await copilotkit.runAgent({ agent });
    while (!error && isComplete());
    unsubscribe();
    // Nothing that the failed run has written is kept: the model is asked again.
    if (error) agent.setMessages(agent.messages.slice(0, 1 + agent.messages.findLastIndex(({ role, toolCallId }) => role === "user" || (role === "tool" && isWhole(callOf(agent.messages, toolCallId))))));
    setFailed(error);
  }
  // The forms read the agent's events, too.
  useEffect(() => {
    let events;
    const onEvent = ({ event }) => {
      if (event.type === "RUN_STARTED") {
        events?.close();
        readCalls(new ReadableStream({ start: (controller) => (events = controller) }), "ag-ui");
      }
      events?.enqueue(event);
      if (event.type === "RUN_ERROR") events = undefined;
    };
    return agent.subscribe({ onEvent }).unsubscribe;
  }, [agent]);
  useEffect(() => {
    if (!isReady) return;
    agent.threadId = id;
    copilotkit.connectAgent({ agent }).then(() => {
      setConnected(true);
      if (isComplete()) run();
    });
  }, [isReady, agent]);

  /** Takes the end of a form. The form says "Sent" once it is saved. */
  function onEnd({ toolCallId, outcome, result, response }) {
    const end = { output: result, walk: response.walk, isTurnEnded: outcome.ends === "turn_ended" };
    storage.set(`ends ${id}`, JSON.stringify({ ...JSON.parse(storage.get(`ends ${id}`)), [toolCallId]: end }));
    setEnds((ends) => ({ ...ends, [toolCallId]: end }));
    if (end.isTurnEnded) copilotkit.stopAgent({ agent });
  }

  const { messages } = agent;
  const isAsking = messages.some((message) => message.toolCalls?.some((call) => !resultOf(messages, call)) && !isEnded(message, ends));
  const send = (event) => {
    event.preventDefault();
    // The model gets no result of a turn that the person has ended.
    const closed = messages.filter((message) => isEnded(message, ends)).flatMap(({ toolCalls }) => toolCalls.map(({ id }) => id));
    agent.setMessages([...messages.filter(({ toolCallId }) => !closed.includes(toolCallId)), { id: crypto.randomUUID(), role: "user", content: text }]);
    setText("");
    run();
  };
  return (
    <Conversation.Provider value={{ messages, ends, onEnd }}>
      <main>
        <h1>Chat</h1>
        {messages.map(({ id, role, content, toolCalls = [] }) => (
          <article key={id} data-role={role} hidden={role === "tool"}>
            {content && role !== "tool" && <p>{content}</p>}
            {toolCalls.map((toolCall) => renderToolCall({ toolCall, toolMessage: resultOf(messages, toolCall) }))}
          </article>
        ))}
        {hasFailed && (
          <p role="alert">
            The model could not be reached. <button onClick={run}>Try again</button>
          </p>
        )}
        <form onSubmit={send}>
          <input name="message" aria-label="Message" value={text} onChange={({ target }) => setText(target.value)} />
          <button disabled={!isConnected || agent.isRunning || isAsking || !text}>Send</button>
        </form>
      </main>
    </Conversation.Provider>
  );
}

createRoot(document.getElementById("root")).render(
  <StrictMode>
    <CopilotKitProvider runtimeUrl="/api/copilotkit" enableInspector={false}>
      <Chat />
    </CopilotKitProvider>
  </StrictMode>,
);
