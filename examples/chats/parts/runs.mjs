// Chats whose agent runs on the server. What is said and asked is a list of events, which the page in page/ follows. The chats are in memory.
import { EventEmitter, once } from "node:events";
import { streamSSE } from "hono/streaming";
import { takeAnswers } from "./answers.mjs";
import { files, listen, localApp } from "./local.mjs";

const chats = new Map();
const chatOf = (id) => chats.get(id) ?? chats.set(id, { id, events: [], told: new EventEmitter(), requests: new Map(), open: new Set(), ends: new Map() }).get(id);

/** Tells the page of something. */
export function tell(chat, type, detail) {
  chat.events.push({ type, ...detail });
  chat.told.emit("event");
}

/** Asks a question of the model. */
export function ask(chat, id, request) {
  chat.requests.set(id, request);
  chat.open.add(id);
  tell(chat, "question", { id, request });
}

/**
 * Serves chats. The agent's functions run it until it has ended or has asked: `say(chat, text)` with a message, `resume(chat)` once all questions of a turn are
 * answered (the answers are in `chat.ends`), `retry(chat)` after a failure. `stop(chat)` forgets a run whose turn the person has ended.
 */
export function serveChats({ say, resume, retry, stop }) {
  async function work(chat, run) {
    try {
      await run(chat);
      if (!chat.open.size) tell(chat, "idle");
    } catch (error) {
      console.error(error);
      tell(chat, "failed", { message: "The model could not be reached." });
    }
  }
  const close = (chat, id, end) => {
    chat.open.delete(id);
    chat.ends.set(id, end);
    tell(chat, "end", { id, end });
  };
  const app = localApp();
  takeAnswers(app, chatOf, (chat, id, end) => {
    close(chat, id, end);
    if (!end.isTurnEnded) return chat.open.size || work(chat, resume);
    for (const other of chat.open) close(chat, other, {});
    stop(chat);
    tell(chat, "idle");
  });
  app.get("/api/chat/:id/events", (c) => {
    const { events, told, ends } = chatOf(c.req.param("id"));
    return streamSSE(c, async (stream) => {
      const { signal } = c.req.raw;
      // After a broken connection, the browser names the last event that it has.
      for (let at = Number(c.req.header("last-event-id") ?? -1) + 1; !signal.aborted; at += 1) {
        while (at >= events.length && !signal.aborted) await once(told, "event", { signal }).catch(() => {});
        if (signal.aborted) return;
        const end = events[at].type === "question" && ends.get(events[at].id);
        await stream.writeSSE({ id: String(at), data: JSON.stringify(end ? { ...events[at], end } : events[at]) });
      }
    });
  });
  app.post("/api/chat/:id/messages", async (c) => {
    const chat = chatOf(c.req.param("id"));
    const { text } = await c.req.json();
    if (chat.events.length && chat.events.at(-1).type !== "idle") return c.json({ message: "The agent is still at work." }, 409);
    tell(chat, "user", { text });
    work(chat, () => say(chat, text));
    return c.body(null, 204);
  });
  app.post("/api/chat/:id/again", (c) => {
    const chat = chatOf(c.req.param("id"));
    if (chat.events.at(-1)?.type !== "failed") return c.json({ message: "There is nothing to try again." }, 409);
    tell(chat, "retried");
    work(chat, retry);
    return c.body(null, 204);
  });
  files(app, new URL(".", import.meta.resolve("ask-user")), "/ask-user");
  files(app, new URL("page/", import.meta.url));
  listen(app);
}
