// Packages that examples and tests import, and that are not installed for every check, or have no types.
declare module "@ag-ui/*";
declare module "@ag-ui/client" {
  export const AbstractAgent: new (...given: any[]) => any;
  export const EventType: any;
}
declare module "@ai-sdk/*";
declare module "@anthropic-ai/*";
declare module "@assistant-ui/*";
declare module "@bytecodealliance/*";
declare module "@copilotkit/*";
declare module "@hono/*";
declare module "@jsonforms/*";
declare module "@langchain/*";
declare module "@mastra/*";
declare module "@modelcontextprotocol/*";
declare module "@openai/*";
declare module "@opencode-ai/*";
declare module "@opentelemetry/*";
declare module "@rjsf/*";
declare module "@sveltejs/*";
declare module "@vitejs/*";
declare module "adaptivecards";
declare module "ai";
declare module "ai/*";
declare module "better-sqlite3";
declare module "express";
declare module "fastify";
declare module "hono";
declare module "hono/*";
declare module "langchain";
declare module "next/*";
declare module "openai";
declare module "pg";
declare module "pngjs";
declare module "puppeteer-core";
declare module "react-dom";
declare module "react-dom/*";
declare module "rxjs";
declare module "solid-js";
declare module "solid-js/*";
declare module "survey-core";
declare module "survey-js-ui";
declare module "svelte";
declare module "svelte/*";
declare module "vite";
declare module "vue";
declare module "zod";

// What a bundler makes of files that are no scripts.
declare module "*.css";
declare module "*.svelte";
declare module "*.vue";
declare module "*.wasm";

// What other builds write.
declare module "*/ask-user-leptos.js";

// What a server of an example puts beside its page, and what the benchmark of other forms puts in place of a driver.
declare module "*/ask-user/ask-user.js";
declare module "*/ask-user/channel.js";
declare module "driver";

// Of Electron, what the example and its tests use.
declare module "electron" {
  export const app: any;
  export const BrowserWindow: any;
  export const contextBridge: any;
  export const dialog: any;
  export const ipcMain: any;
  export const ipcRenderer: any;
  export const Menu: any;
  export const net: any;
  export const protocol: any;
  export const session: any;
  export const shell: any;
  export type IpcMain = any;
  export type IpcMainEvent = any;
  export type WebContents = any;
}

// What Svelte makes of a name in a script of its own.
declare const $state: <T>(value: T) => T;
declare module "*/node_modules/ask-user/dist/ask-user.js";
