// Compares what clients were shown with what the host's SQLite file holds. It knows nothing of how either came to be.
import { spawnSync } from "node:child_process";
import { isDeepStrictEqual } from "node:util";

/** Reads the tables of a closed host: the lines of the transcripts, the answers that were taken, and the events that closed a question. */
const READ = `
import json, sqlite3, sys
tables = sqlite3.connect(sys.argv[1])
all = lambda sql: [list(row) for row in tables.execute(sql)]
print(json.dumps({
    "lines": all("SELECT conversation, line FROM messages ORDER BY place"),
    "questions": all("SELECT conversation, question FROM questions"),
    "events": all("SELECT conversation, data FROM events WHERE kind = 'state_change' AND data LIKE '%\\"closed\\"%' ORDER BY place"),
}))`;

/** What the host has stored: `{ lines, taken, closed }`, each with its conversation. */
export function readTruth(file) {
  const { status, stdout, stderr, error } = spawnSync("python3", ["-c", READ, file], { encoding: "utf8", maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(`the host's file could not be read (Python 3 is needed): ${error ?? stderr}`);
  const { lines, questions, events } = JSON.parse(stdout);
  const taken = questions.flatMap(([conversation, question]) => {
    const { closed, earlier = [] } = JSON.parse(question).desk;
    return [...earlier, closed?.taken].filter(Boolean).map(({ key, sent }) => ({ conversation, key, log: sent }));
  });
  return {
    lines: lines.map(([conversation, line]) => ({ conversation, ...JSON.parse(line) })),
    taken,
    closed: events.map(([conversation, data]) => ({ conversation, ...JSON.parse(data).closed })).filter(({ tool_call_id }) => tool_call_id),
  };
}

/**
 * Judges endings, each `{ conversation, call, key, result, states, log }` with a `fate` where its page is gone (see `tabs.mjs`), against the truth.
 * Gives lists of sentences by verdict: `lost`, `doubled` and `notThere` are faults, the others are told.
 */
export function judge(endings, truth) {
  const results = grouped(truth.lines.filter(({ role }) => role === "tool"), ({ conversation, call_id }) => `${conversation} ${call_id}`);
  const taken = grouped(truth.taken, ({ conversation, key }) => `${conversation} ${key}`);
  const closed = grouped(truth.closed, ({ conversation, tool_call_id }) => `${conversation} ${tool_call_id}`);
  const told = { sent: [], failed: [], failedButThere: [], askedAgain: [], overtaken: [], leftAndThere: [] };
  const found = { ...told, lost: [], doubled: doubled(truth, results, closed), notThere: [] };

  for (const ending of endings) {
    const { conversation, call, key, result, log, states, fate } = ending;
    const [got] = results.get(`${conversation} ${call}`) ?? [];
    const [answer] = taken.get(`${conversation} ${key}`) ?? [];
    // It was taken under its key, with its own log where another may have the key, it closed its own question, and the agent has its result.
    const closes = closed.get(`${conversation} ${call}`)?.[0]?.key === key;
    const there = answer !== undefined && (!log || isDeepStrictEqual(answer.log, log)) && closes && isDeepStrictEqual(got?.content, result);
    const last = states.at(-1);
    const says = `${conversation} ${call}, ${ending.kind}, key ${key}: ${states.join(", ")}${fate ? `; ${fate}` : ""}; the agent has ${JSON.stringify(got?.content)}`;
    if (states.includes("sent")) {
      found.sent.push(says);
      if (!there) found.notThere.push(says);
      if (!got) found.lost.push(says);
    } else if (last === "failed" || last === "closed") found[there ? "failedButThere" : "failed"].push(says);
    else if (there) found.leftAndThere.push(says);
    else if (fate === "asked again") found.askedAgain.push(says);
    else if (fate === "overtaken" && got) found.overtaken.push(says);
    else found.lost.push(says);
  }
  return found;
}

/** Calls with more than one result, answers taken under two keys for one question, tools called again after they have run, and texts that came twice. */
function doubled({ lines, taken }, results, closed) {
  const faults = [];
  for (const [call, all] of results) if (all.length > 1) faults.push(`${call} has ${all.length} results`);
  for (const [call, all] of closed) if (all.length > 1) faults.push(`${call} was closed ${all.length} times`);
  const answered = grouped([...closed.values()].flat().filter(({ key }) => key), (one) => one.conversation);
  for (const [conversation, all] of grouped(taken, (one) => one.conversation)) {
    const questions = answered.get(conversation)?.length ?? 0;
    if (all.length !== questions) faults.push(`${conversation}: ${all.length} answers were taken for ${questions} questions`);
  }
  for (const [conversation, all] of grouped(lines, (one) => one.conversation)) {
    const calls = all.flatMap((line) => line.calls ?? []).map(({ id }) => id);
    if (new Set(calls).size < calls.length) faults.push(`${conversation}: a call was made twice`);
    const again = all.find((line, place) => line.role === "assistant" && all[place - 1]?.role === "assistant");
    if (again) faults.push(`${conversation}: the model was asked twice for one line: ${again.text}`);
    const texts = all.flatMap(({ role, content }) => (role === "tool" ? [content?.reason, content?.note, content?.reply] : [])).filter(Boolean);
    if (new Set(texts).size < texts.length) faults.push(`${conversation}: a text came twice`);
  }
  return faults;
}

function grouped(all, name) {
  const groups = new Map();
  for (const one of all) groups.set(name(one), [...(groups.get(name(one)) ?? []), one]);
  return groups;
}

/** The truth with one fault of each kind that a host could have made: what the check must find in them. */
export function tampered(truth, endings) {
  const lineOf = ({ conversation, call }) => truth.lines.findIndex((line) => line.role === "tool" && line.conversation === conversation && line.call_id === call);
  const isThere = (ending) => ending.states.includes("sent") && isDeepStrictEqual(truth.lines[lineOf(ending)]?.content, ending.result);
  const place = lineOf(endings.find(isThere));
  const line = truth.lines[place];
  return {
    lost: { ...truth, lines: truth.lines.toSpliced(place, 1) },
    doubled: { ...truth, lines: truth.lines.toSpliced(place, 0, line) },
    notThere: { ...truth, lines: truth.lines.toSpliced(place, 1, { ...line, content: "another answer" }) },
  };
}
