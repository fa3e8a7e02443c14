// The types of every entry, as a project of modules takes them.
import { ask, initialize, type AskUser, type EndDetail } from "ask-user";
import { AskUser as Class } from "ask-user/element";
import { open, RejectionError, type Step } from "ask-user/core";
import { load } from "ask-user/core/load";
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
