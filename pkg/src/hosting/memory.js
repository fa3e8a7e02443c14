// A store in memory, for tests and for hosts that may forget everything when they end.

/** @import { Change, Store } from "../../types/host.js" */

/** @typedef {Change["lines"][number] & { place: number }} Line */

/**
 * A conversation as it is kept.
 * @typedef {{ token: string, state: string, revision: number, isOpen: boolean, lines: Line[] }} Kept
 */

/**
 * Hears of a change before it is made.
 * @typedef {(...change: ["create", id: string, conversation: { token: string, state: string }] | ["commit", id: string, revision: number, change: Change]) => void} Changing
 */

/**
 * A new store. It implements the five functions of `Store`.
 * @type {() => Store}
 */
export const memory = () => inMemory(new Map());

/**
 * A store of these conversations, by their ids: `{ token, state, revision, isOpen, lines }`. `changing` hears of each change before it is made, and none is made if it throws.
 * @param {Map<string, Kept>} conversations
 * @param {Changing} changing
 * @returns {Store}
 */
export function inMemory(conversations, changing = () => undefined) {
  let place = 0;
  for (const { lines } of conversations.values()) place = Math.max(place, lines.at(-1)?.place ?? 0);
  return {
    async create(id, { token, state }) {
      if (conversations.has(id)) throw new Error("There is a conversation with this id already.");
      changing("create", id, { token, state });
      conversations.set(id, { token, state, revision: 0, isOpen: false, lines: [] });
    },
    async load(id) {
      const { token, state, revision } = conversations.get(id) ?? {};
      return token === undefined ? undefined : /** @type {Kept} */ ({ token, state, revision });
    },
    async commit(id, revision, { state, isOpen, lines }) {
      const found = conversations.get(id);
      if (found?.revision !== revision) return false;
      /** @type {(line: Line | Change["lines"][number]) => boolean} */
      const isTaken = ({ kind, key }) => key !== undefined && found.lines.some((line) => line.kind === kind && line.key === key);
      if (lines.some(isTaken)) throw new Error("There is a line with this kind and key already.");
      changing("commit", id, revision, { state, isOpen, lines });
      found.lines.push(...lines.map((line) => ({ ...line, place: (place += 1) })));
      Object.assign(found, { state, isOpen, revision: revision + 1 });
      return true;
    },
    async lines(id, kinds, { after = 0, key } = {}) {
      /** @type {(line: Line) => boolean} */
      const isWanted = (line) => kinds.includes(line.kind) && line.place > after && (key === undefined || line.key === key);
      return (conversations.get(id)?.lines ?? []).filter(isWanted).map(({ place, kind, text }) => ({ place, kind, text }));
    },
    async open() {
      return [...conversations].filter(([, { isOpen }]) => isOpen).map(([id]) => id);
    },
  };
}
