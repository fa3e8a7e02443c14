// What the main thread of a page works, as Chromium's tracing gives it: the CPU time of its tasks between marks that the page sets (`performance.mark`).

/** Gives a function that traces while something is done: `{ tracks, result }`. */
export async function tracer(page) {
  const devtools = await page.context().newCDPSession(page);
  return async (act) => {
    const events = [];
    const take = ({ value }) => events.push(...value);
    devtools.on("Tracing.dataCollected", take);
    await devtools.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["toplevel", "blink.user_timing"] } });
    const result = await act();
    const complete = new Promise((resolve) => devtools.once("Tracing.tracingComplete", resolve));
    await devtools.send("Tracing.end");
    await complete;
    devtools.off("Tracing.dataCollected", take);
    return { trace: new Trace(events), result };
  };
}

class Trace {
  #events;

  constructor(events) {
    this.#events = events;
  }

  /** The marks of a name, in their order. */
  marks(name) {
    return this.#events.filter((event) => event.name === name && event.cat.includes("user_timing")).sort((a, b) => a.ts - b.ts);
  }

  /** The CPU time of each task, in milliseconds, that runs on the thread of the mark `from` after it and begins before the mark `until`. */
  tasks(from, until) {
    const isTask = ({ name, ph, pid, tid, ts, dur }) => ph === "X" && name.endsWith("RunTask") && pid === from.pid && tid === from.tid && ts + dur > from.ts && ts < until.ts;
    const found = [];
    let end = 0;
    // A task may run others within it.
    for (const { ts, dur, tdur } of this.#events.filter(isTask).sort((a, b) => a.ts - b.ts)) {
      if (ts < end) continue;
      end = ts + dur;
      found.push(tdur / 1_000);
    }
    return found;
  }

  /** The sum of these. */
  work(from, until) {
    return this.tasks(from, until).reduce((sum, task) => sum + task, 0);
  }
}
