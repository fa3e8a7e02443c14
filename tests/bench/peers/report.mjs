// The tables of the comparison, as Markdown.

export const median = (list) => quantile(list, 0.5);

/** The value below which a part of the list is; none of an empty one. */
export function quantile(list, part) {
  const sorted = list.toSorted((a, b) => a - b);
  if (!sorted.length) return NaN;
  const at = (sorted.length - 1) * part;
  const [below, above] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at - Math.floor(at));
}

/** A number with about three digits. */
const short = (number) => (Number.isNaN(number) ? "–" : number >= 100 ? number.toFixed(0) : number >= 10 ? number.toFixed(1) : number.toFixed(2));
const commas = (number) => number.toLocaleString("en");
const kilobytes = (bytes) => (bytes / 1_000).toFixed(bytes < 1_000 ? 1 : 0);
const both = ({ gzip, brotli }) => `${kilobytes(gzip)} / ${kilobytes(brotli)}`;
const line = (cells) => `| ${cells.join(" | ")} |\n`;
function columns(things, rows) {
  const head = line(["", ...things.map(({ title }) => title)]) + line(["---", ...things.map(() => "---")]);
  return head + Object.entries(rows).map(([name, cell]) => line([name, ...things.map(cell)])).join("");
}
const isExtrapolated = ({ all }) => all.some(({ isWhole }) => !isWhole);

const medians = (...lists) => lists.map((list) => short(median(list))).join(" / ");

/** How much longer one takes than the other, in the median of the rounds: what slows a whole round is not in it. */
const ratio = (taken, floor) => median(taken.map((time, round) => time / floor[round])).toFixed(2);

/** The renderers, each with what was measured of it. The first is the page that is written by hand. */
export function ofRenderers(renderers, count, options) {
  const [floor] = renderers;
  const rows = {
    "questions on screen": ({ isWhole }) => (isWhole ? "all" : "one"),
    "download until the first question is visible, gzip / Brotli, kB": ({ untilVisible }) => both(untilVisible),
    "download until it can be answered, gzip / Brotli, kB": ({ untilReady }) => both(untilReady),
    "first question visible, compared with the handwritten page": ({ visible }) => ratio(visible, floor.visible),
    "first question can be answered, compared with the handwritten page": ({ ready }) => ratio(ready, floor.ready),
    "first question visible / can be answered, ms": ({ visible, ready }) => medians(visible, ready),
    "the same at 1.6 Mbit/s with 150 ms latency, ms": ({ slowlyVisible, slowlyReady }) => medians(slowlyVisible, slowlyReady),
    "a step, median / 95th percentile, ms": ({ steps }) => `${short(median(steps))} / ${short(quantile(steps, 0.95))}`,
    [`${commas(count)} questions, until the first can be answered, ms`]: ({ many }) => short(median(many)),
    [`${commas(count)} questions, all answered, s`]: (renderer) => short(median(renderer.all.map(({ seconds }) => seconds))) + (isExtrapolated(renderer) ? " \\*" : ""),
    [`${commas(options)} options, until they are shown, ms`]: ({ choice }) => short(median(choice)),
    "memory of the page, MB": ({ memory }) => short(median(memory)),
  };
  return columns(renderers, rows) + (renderers.some(isExtrapolated) ? "\n\\* Extrapolated from the questions that were answered within the time limit.\n" : "");
}

export function ofValidators(validators) {
  const rows = {
    "download before a first check / right after, Brotli, kB": ({ brotli, later }) => `${kilobytes(brotli)} / ${kilobytes(later)}`,
    "first check in a new page, ms": ({ first }) => short(first),
    "first check with a new schema in a warm engine, ms": ({ anew }) => short(anew),
    "each later check, µs": ({ again }) => short(again * 1_000),
  };
  return columns(validators, rows);
}
