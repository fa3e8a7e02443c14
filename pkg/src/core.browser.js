// The headless package for browsers and bundlers: there once it is imported.
import { load } from "./core.load.js";

export const {
  open, openStream, resume, toolDefinition, toolDefinitions, dialects, detectDialect, registerDialect, permission, mendRecords, readRecords, recordsMarkdown, Conversation, Desk, RejectionError,
  RefusalError, UnresumableError, UnexpectedEventError, UnreadableStateError,
} = await load();
