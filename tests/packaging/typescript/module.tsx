// The types of every entry, as a project of modules takes them.
import { ask, initialize, type AskUser, type EndDetail } from "ask-user";
import { AskUser as Class } from "ask-user/element";
import { open, RejectionError, type Step } from "ask-user/core";
import { load } from "ask-user/core/load";
import { QuestionClosedError, ask as asks, createHost, createInbox, memory, type Agent, type Store } from "ask-user/host";
import { load as loadHost } from "ask-user/host/load";
import { listener, plugin } from "ask-user/host/node";
import { postgres } from "ask-user/host/postgres";
import { sqlite } from "ask-user/host/sqlite";
import { connect, serve, type ChannelEnd, type Transport } from "ask-user/channel";
import type {} from "ask-user/jsx";
import type { InlineAskUser } from "ask-user/inline";
import "ask-user/inline";

initialize({ form: new URL("https://example.org/form.wasm"), validator: () => fetch("/validator.wasm") });
export const element: AskUser = document.createElement("ask-user");
element.addEventListener("ask-user-result", ({ detail }) => console.log(detail.outcome.ends, detail.idempotencyKey.length));
export class Mine extends Class {}
export const end: Promise<EndDetail> = ask({ question: "Go on?", answer_type: "boolean" }, { parent: document.body });
export const step: Step = open({}).step;
export const open_again: typeof open = (await load()).open;
export const inline = customElements.get("ask-user") as InlineAskUser;
export const asked: Promise<EndDetail> = inline.ask({});
export const failed = (error: unknown) => error instanceof RejectionError && error.toolResult.problems.map(({ code }) => code);
export const form = <ask-user request={{}} label="Agent" onask-user-result={({ detail }) => console.log(detail.resultText)} />;
declare const frame: HTMLIFrameElement;
export const channel = connect(frame.contentWindow!, { origin: "https://forms.example", size: (height) => console.log(height.toFixed()) });
export const answered: Promise<ChannelEnd> = channel.ask({}, { on: (name, detail) => console.log(name, detail) });
export const bridge = (transport: Transport) => [connect(transport), serve({ transport }), serve({ origin: "https://chat.example" })];
element.host = { deliver: async ({ response, idempotencyKey }) => console.log(response.secrets, idempotencyKey) };
// @ts-expect-error the origin of the page has to be named
connect(frame.contentWindow!, {});
// @ts-expect-error an event has no such detail
element.addEventListener("ask-user-result", ({ detail }) => detail.nothing);
// @ts-expect-error there is no such module
initialize({ forms: "x" });
const agent: Agent = async ({ messages, results, signal }) => (signal.aborted ? "" : { text: results.map(({ contentText }) => contentText).join(), calls: [{ id: String(messages.length), name: "deploy", input: { to: "x" } }] });
const stores: Store[] = [memory(), await sqlite("x.db"), await postgres("postgres://localhost")];
const host = createHost({
  store: stores[0]!, agent, origins: ["https://app.example"],
  tools: { add: ({ a, b }) => a + b, deploy: { run: ({ to }, { callId }) => asks({ question: to, answer_type: "boolean" }, { label: callId }), answered: ({ ends, secrets }) => ends === "completed" && secrets?.key?.length } },
});
export const served: Promise<Response> = host.handle(new Request("https://app.example/conversations"));
const inbox = createInbox({ store: memory(), authorize: (request, { id }) => id === request.headers.get("x-conversation"), onSecrets: ({ id, secrets }) => console.log(id, secrets.key) });
export const heard: Promise<[unknown, boolean]> = inbox
  .ask({ conversation: "7", callId: "call_1", request: { question: "Go on?" }, options: { label: "Agent", turn: {} }, expiresIn: 60_000, signal: AbortSignal.timeout(1_000) })
  .then(({ result, outcome, secrets, isTurnEnded }) => [outcome.ends === "completed" ? result : secrets?.key, isTurnEnded]);
export const overtaken = (error: unknown) => error instanceof QuestionClosedError && error.how === "overtaken";
// @ts-expect-error nothing else protects the questions of an inbox.
createInbox({ store: memory() });
export const listening = [listener(host), plugin(host), listener(inbox), plugin(inbox), (await loadHost()).createHost === createHost];
// @ts-expect-error clients get the options
asks({}, { secretAnswers: {} });
// @ts-expect-error there is no such option
createHost({ store: memory(), agent, tolls: {} });
