// The request of a vector, cut in two at each byte: it is what it is at once, and the question that was shown before stays. Runs in Node and in a page.

/** @import * as Core from "../../pkg/types/core.js" */

/**
 * Reads the request of a case so with a package, and gives at how many places a question was shown before the end. Throws what is not as it should be.
 * @param {Pick<typeof Core, "open" | "openStream" | "RejectionError">} core
 * @param {{ text?: string, request?: unknown, options: Core.Options }} asked
 */
export async function cut({ open, openStream, RejectionError }, { text, request, options }) {
  const bytes = new TextEncoder().encode(text ?? JSON.stringify(request));
  /** @type {(give: () => Core.Walk) => string} */
  const read = (give) => {
    try {
      const walk = give();
      // How its questions came is in a saved walk, too.
      return JSON.stringify([walk.form, walk.step, walk.records, walk.save().form]);
    } catch (error) {
      if (error instanceof RejectionError) return JSON.stringify(error.toolResult);
      throw error;
    }
  };
  const atOnce = read(() => open(text ?? request, options));
  let grown = 0;
  for (let at = 0; at <= bytes.length; at += 1) {
    /** @type {{ question: Core.Question, count: number } | undefined} */
    let shown;
    const found = read(() => {
      const stream = openStream(options);
      stream.write(bytes.subarray(0, at));
      const { step, form, outcome } = stream.walk;
      if (outcome && !options.subAgent) throw new Error(`has an outcome before its end, cut at ${at}`);
      if (at < bytes.length && step.state === "asking") shown = { question: step.question, count: form.questions };
      stream.write(bytes.subarray(at));
      const walk = stream.end();
      if (shown && (JSON.stringify(/** @type {{ question?: Core.Question }} */ (walk.step).question) !== JSON.stringify(shown.question) || walk.form.questions < shown.count)) throw new Error(`the question has changed, cut at ${at}`);
      return walk;
    });
    if (found !== atOnce) throw new Error(`is ${found} where ${atOnce} is expected, cut at ${at}`);
    grown += shown ? 1 : 0;
  }
  // What wasm holds for objects that are gone is freed between tasks.
  await /** @type {Promise<void>} */ (new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => (port1.close(), resolve());
    port2.postMessage(undefined);
  }));
  return grown;
}
