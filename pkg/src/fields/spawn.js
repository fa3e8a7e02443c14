// The worker that checks answers, as a file beside the scripts. A bundle that fetches nothing has none.

/**
 * Starts it. Throws where a page may start none.
 * @type {(() => Worker) | undefined}
 */
export const spawn = () => new Worker(new URL("./fields.worker.js", import.meta.url), { type: "module" });
