// The example hosts, each a process of its own, keep to docs/delivery.md. Any other: `EVENTS_URL` and `RESPOND_URL` in the environment, each for one open question,
// and `TOKEN` where it wants one.
import { spawn } from "node:child_process";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { AgentHost, heard } from "./agent-host.mjs";
import { conformsOverHttp, first, keepsVersions, overHttp } from "./conformance.mjs";
import { freePort } from "./free-port.mjs";
import { QUESTIONS } from "./js-host.mjs";
import { ModelServer, reply } from "./model-server.mjs";

if (process.env.RESPOND_URL) {
  const headers = process.env.TOKEN ? { Authorization: `Bearer ${process.env.TOKEN}` } : {};
  conformsOverHttp(process.env.RESPOND_URL, {
    async due() {
      const { tool_call_id: call, request, dialect, walk, options } = await first(process.env.EVENTS_URL, headers, ({ type }) => type === "awaiting_user_response");
      const over = overHttp({ url: process.env.RESPOND_URL, headers, body: (response) => ({ tool_call_id: call, ...response }) });
      // What the agent got cannot be seen from here.
      return { ...over, request, walk, options: { ...options, tool_call_id: undefined, toolCallId: call, dialect } };
    },
  });
} else {
  agentHost();
  for (const place of [0, 1]) severalOpen(place);
  chat();
}

/** Of two questions that are open at once, the one at a place. */
function severalOpen(place) {
  let host, model;
  before(async () => {
    model = await ModelServer.start();
    host = await AgentHost.start({ options: ["--model", model.url, "--model-name", "test-model", "--several-open", "true"], environment: { OPENAI_API_KEY: "sk-test" } });
  });
  after(async () => {
    await host?.close();
    await model?.close();
  });
  const target = {
    async due() {
      model.gives(reply("I ask.", ["one", "two"].map((id) => [id, "ask_user", QUESTIONS])));
      const id = await host.begin();
      for (;;) {
        const [, state] = (await host.events(id)).findLast(([, data]) => data.type) ?? [];
        if (state?.requests?.length !== 2) continue;
        return dueAt(host, id, state.requests[place]);
      }
    },
  };
  conformsOverHttp(`the agent host with two open questions, at question ${place + 1}`, target);
  keepsVersions(`the agent host with two open questions, at question ${place + 1}`, target);
}

/** A question of a conversation that waits at an agent host, and how to answer it. */
function dueAt(host, id, { tool_call_id: call, request, walk, version, dialect, options }) {
  const over = overHttp({
    url: `${host.url}/conversations/${id}/respond`,
    saveUrl: `${host.url}/conversations/${id}/walk`,
    headers: host.opens(`/conversations/${id}`),
    body: (response) => (response && typeof response === "object" && !Array.isArray(response) ? { tool_call_id: call, ...response } : response),
  });
  const taken = async () => (await host.results(id))[call] ?? [];
  return { ...over, request, walk, version, options: { ...options, tool_call_id: undefined, toolCallId: call, dialect }, taken };
}

function agentHost() {
  let host;
  before(async () => (host = await AgentHost.start()));
  after(() => host.close());
  const target = {
    async due() {
      const id = await host.begin();
      for (;;) {
        const [, state] = (await host.events(id)).findLast(([, data]) => data.type) ?? [];
        if (state?.type !== "awaiting_user_response") continue;
        return dueAt(host, id, state);
      }
    },
  };
  conformsOverHttp("the agent host", target);
  keepsVersions("the agent host", target);
}

function chat() {
  let process;
  const end = () => process?.kill("SIGKILL");
  after(end);
  conformsOverHttp("the chat", {
    /** Each question is one of its own process: the chat has one conversation. */
    async due() {
      end();
      const port = await freePort();
      process = spawn("node", [fileURLToPath(new URL("../../examples/chat/server.js", import.meta.url)), "--port", String(port)], { stdio: ["ignore", "pipe", "inherit"] });
      const begun = new Promise((resolve) => process.stdout.once("data", resolve));
      const ended = new Promise((_, reject) => process.once("exit", (code) => reject(new Error(`the chat has ended with ${code}`))));
      // It is ended once it was played with.
      ended.catch(() => undefined);
      await Promise.race([begun, ended]);
      const base = `http://127.0.0.1:${port}`;
      const { id, request, options } = await first(`${base}/events`, {}, ({ type }) => type === "question");
      const results = async () => {
        const text = await heard(`${base}/events`);
        return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data)).filter(({ type }) => type === "result");
      };
      return { ...overHttp({ url: `${base}/answers/${id}` }), request, options: { toolCallId: id, ...options }, taken: results };
    },
  });
}
