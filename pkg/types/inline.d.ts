// Everything in one file, wasm included: `import "ask-user/inline"`, or a classic script. It defines `<ask-user>` and exports nothing.
import type { ask, AskUser, initialize, preload, registerDialect } from "./ask-user.js";
import type { connect, serve } from "./channel.js";

export type * from "./ask-user.js";

/** The class as this file defines it: `customElements.get("ask-user") as InlineAskUser`. */
export type InlineAskUser = typeof AskUser & {
  ask: typeof ask; connect: typeof connect; initialize: typeof initialize; preload: typeof preload; registerDialect: typeof registerDialect; serve: typeof serve;
};
