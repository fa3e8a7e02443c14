// A store in memory, for tests and for hosts that may forget everything when they end.

/** A new store. It implements the five functions of `Store`. */
export const memory = () => inMemory(new Map());

/** A store of these conversations, by their ids: `{ token, state, revision, isOpen, lines }`. `changing` hears of each change before it is made, and none is made if it throws. */
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
      return token === undefined ? undefined : { token, state, revision };
    },
    async commit(id, revision, { state, isOpen, lines }) {
      const found = conversations.get(id);
      if (found?.revision !== revision) return false;
      const isTaken = ({ kind, key }) => key !== undefined && found.lines.some((line) => line.kind === kind && line.key === key);
      if (lines.some(isTaken)) throw new Error("There is a line with this kind and key already.");
      changing("commit", id, revision, { state, isOpen, lines });
      found.lines.push(...lines.map((line) => ({ ...line, place: (place += 1) })));
      Object.assign(found, { state, isOpen, revision: revision + 1 });
      return true;
    },
    async lines(id, kinds, { after = 0, key } = {}) {
      const isWanted = (line) => kinds.includes(line.kind) && line.place > after && (key === undefined || line.key === key);
      return (conversations.get(id)?.lines ?? []).filter(isWanted).map(({ place, kind, text }) => ({ place, kind, text }));
    },
    async open() {
      return [...conversations].filter(([, { isOpen }]) => isOpen).map(([id]) => id);
    },
  };
}
