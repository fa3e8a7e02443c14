// What each entry of the package exports has the types that its declarations say. The compiler checks it; nothing runs this file.
import type * as AskUser from "../types/ask-user.js";
import type * as MadeAskUser from "../src/ask-user.js";
import type * as Element from "../types/element.js";
import type * as MadeElement from "../src/element.js";
import type * as Inline from "../types/inline.js";
import type * as MadeInline from "../src/inline.js";
import type * as Channel from "../types/channel.js";
import type * as MadeChannel from "../src/channel.js";
import type * as Preload from "../types/preload.js";
import type * as MadePreload from "../src/preload.js";
import type * as Copy from "../types/copy.js";
import type * as MadeCopy from "../src/copy.js";
import type * as Streams from "../types/streams.js";
import type * as MadeStreams from "../src/streams.js";
import type * as React from "../types/react.js";
import type * as MadeReact from "../src/react.js";
import type * as Core from "../types/core.js";
import type * as MadeCore from "../src/core.node.js";
import type * as CoreBrowser from "../types/core.js";
import type * as MadeCoreBrowser from "../src/core.browser.js";
import type * as CoreLoad from "../types/core.load.js";
import type * as MadeCoreLoad from "../src/core.load.js";
import type * as Host from "../types/host.js";
import type * as MadeHost from "../src/host.node.js";
import type * as HostLoad from "../types/host.load.js";
import type * as MadeHostLoad from "../src/host.load.js";
import type * as HostListener from "../types/host.listener.js";
import type * as MadeHostListener from "../src/hosting/listener.js";
import type * as HostPostgres from "../types/host.postgres.js";
import type * as MadeHostPostgres from "../src/hosting/postgres.js";
import type * as HostSqlite from "../types/host.sqlite.js";
import type * as MadeHostSqlite from "../src/hosting/sqlite.js";
import type * as Html from "../types/html.js";
import type * as MadeHtml from "../src/html.node.js";
import type * as HtmlLoad from "../types/html.load.js";
import type * as MadeHtmlLoad from "../src/html.load.js";
import type * as Locale from "../types/locale.js";
import type * as MadeLocale from "../src/locales/de.js";

/** What a module exports. Of a class, what it has itself and what its instances have: nobody else makes them. */
type Exported<Module> = { [Name in keyof Module]: Module[Name] extends (...given: never) => unknown ? Module[Name] : Module[Name] extends { prototype: infer Made } ? Statics<Module[Name]> & { prototype: Made } : Module[Name] };
type Statics<Class> = Pick<Class, Exclude<keyof Class, "prototype">>;

/** The values of a module, without those that it names as types alone: those of others. */
type Own<Module, Others extends string> = Exported<Omit<Module, Others>>;

/** What the function `load` of a module promises. */
type Loaded<Module extends { load(...given: never): Promise<unknown> }> = Exported<Awaited<ReturnType<Module["load"]>>>;

/** An error where an entry lacks something, or has it otherwise than it is declared. */
type Agrees<Declared, Made extends Declared> = Made;
/** An error where an entry has what is not declared. */
type NoMore<Names extends never> = Names;

export type Checks = [
  Agrees<Own<typeof AskUser, keyof typeof Core>, Exported<typeof MadeAskUser>>,
  NoMore<Exclude<keyof typeof MadeAskUser, keyof typeof AskUser>>,
  Agrees<Own<typeof Element, keyof typeof Core | "ask">, Exported<typeof MadeElement>>,
  NoMore<Exclude<keyof typeof MadeElement, keyof typeof Element>>,
  Agrees<Own<typeof Inline, keyof typeof Core | keyof typeof AskUser>, Exported<typeof MadeInline>>,
  NoMore<Exclude<keyof typeof MadeInline, keyof typeof Inline>>,
  Agrees<Exported<typeof Channel>, Exported<typeof MadeChannel>>,
  NoMore<Exclude<keyof typeof MadeChannel, keyof typeof Channel>>,
  Agrees<Exported<typeof Preload>, Exported<typeof MadePreload>>,
  NoMore<Exclude<keyof typeof MadePreload, keyof typeof Preload>>,
  Agrees<Exported<typeof Copy>, Exported<typeof MadeCopy>>,
  NoMore<Exclude<keyof typeof MadeCopy, keyof typeof Copy>>,
  Agrees<Exported<typeof Streams>, Exported<typeof MadeStreams>>,
  NoMore<Exclude<keyof typeof MadeStreams, keyof typeof Streams>>,
  Agrees<Own<typeof React, keyof typeof Core | "AskUserElement">, Exported<typeof MadeReact>>,
  NoMore<Exclude<keyof typeof MadeReact, keyof typeof React>>,
  Agrees<Exported<typeof Core>, Exported<typeof MadeCore>>,
  NoMore<Exclude<keyof typeof MadeCore, keyof typeof Core>>,
  Agrees<Exported<typeof CoreBrowser>, Exported<typeof MadeCoreBrowser>>,
  NoMore<Exclude<keyof typeof MadeCoreBrowser, keyof typeof CoreBrowser>>,
  Agrees<Loaded<typeof CoreLoad>, Loaded<typeof MadeCoreLoad>>,
  Agrees<Parameters<typeof CoreLoad.load>, Parameters<typeof MadeCoreLoad.load>>,
  NoMore<Exclude<keyof typeof MadeCoreLoad, "load">>,
  NoMore<Exclude<keyof Loaded<typeof MadeCoreLoad>, keyof Loaded<typeof CoreLoad>>>,
  Agrees<Own<typeof Host, keyof typeof Core>, Exported<typeof MadeHost>>,
  NoMore<Exclude<keyof typeof MadeHost, keyof typeof Host>>,
  Agrees<Loaded<typeof HostLoad>, Loaded<typeof MadeHostLoad>>,
  Agrees<Parameters<typeof HostLoad.load>, Parameters<typeof MadeHostLoad.load>>,
  NoMore<Exclude<keyof typeof MadeHostLoad, "load">>,
  NoMore<Exclude<keyof Loaded<typeof MadeHostLoad>, keyof Loaded<typeof HostLoad>>>,
  Agrees<Exported<typeof HostListener>, Exported<typeof MadeHostListener>>,
  NoMore<Exclude<keyof typeof MadeHostListener, keyof typeof HostListener>>,
  Agrees<Exported<typeof HostPostgres>, Exported<typeof MadeHostPostgres>>,
  NoMore<Exclude<keyof typeof MadeHostPostgres, keyof typeof HostPostgres>>,
  Agrees<Exported<typeof HostSqlite>, Exported<typeof MadeHostSqlite>>,
  NoMore<Exclude<keyof typeof MadeHostSqlite, keyof typeof HostSqlite>>,
  Agrees<Exported<typeof Html>, Exported<typeof MadeHtml>>,
  NoMore<Exclude<keyof typeof MadeHtml, keyof typeof Html>>,
  Agrees<Exported<typeof HtmlLoad>, Exported<typeof MadeHtmlLoad>>,
  NoMore<Exclude<keyof typeof MadeHtmlLoad, keyof typeof HtmlLoad>>,
  Agrees<Exported<typeof Locale>, Exported<typeof MadeLocale>>,
  NoMore<Exclude<keyof typeof MadeLocale, keyof typeof Locale>>,
];
