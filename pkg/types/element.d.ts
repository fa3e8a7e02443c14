// The class of <ask-user>, not defined: for a page that gives it a name of its own. A page uses this or `ask-user`, not both.
export { AskUser, initialize, preload, registerDialect } from "./ask-user.js";
export type * from "./ask-user.js";
