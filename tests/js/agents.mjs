// What the tests with agents' own packages have in common: the packages of examples/, and a person who ends a form in one of three ways.
import { createRequire } from "node:module";

/** @import { Walk } from "../../pkg/types/core.js" */

/** A package of examples/. */
export const of = createRequire(new URL("../../examples/package.json", import.meta.url));
export const { z } = of("zod");
export const WORDS = "After lunch, please.";

/**
 * Ends a form: with answers in order, or by `reply` or `endTurn`. A Reply has words where the form takes them. Gives the outcome.
 * @param {Walk} walk
 * @param {any[] | "reply" | "endTurn"} way
 * @returns {any}
 */
export function ended(walk, way) {
  if (way === "endTurn") walk.endTurn();
  else if (way === "reply") walk.reply(walk.form.reply === "with_words" ? WORDS : undefined);
  else way.forEach((answer) => walk.answer(answer));
  if (walk.step.state === "review") walk.submit();
  return walk.outcome;
}
