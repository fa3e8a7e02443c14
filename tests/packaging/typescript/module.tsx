// The types of every entry, as a project of modules takes them.
import { ask, initialize, type AskUser, type EndDetail } from "ask-user";
import { AskUser as Class } from "ask-user/element";
import { open, RejectionError, type Step } from "ask-user/core";
import { load } from "ask-user/core/load";
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
// @ts-expect-error an event has no such detail
element.addEventListener("ask-user-result", ({ detail }) => detail.nothing);
// @ts-expect-error there is no such module
initialize({ forms: "x" });
