// <ask-user> in JSX, for React 19: `import type {} from "ask-user/jsx"` once in a project. Properties are set as properties; events are
// listened to with `onask-user-result` and its like.
import type { AskUser, AskUserEventMap, Drafts, DueRequest, Host, Receipt, SavedWalk, Turn } from "./ask-user.js";
import type { DetailedHTMLProps, HTMLAttributes } from "react";

/** The properties, attributes and events of the element in JSX. */
export type AskUserProps = Omit<DetailedHTMLProps<HTMLAttributes<AskUser>, AskUser>, "host"> & {
  request?: unknown;
  requests?: readonly DueRequest[];
  host?: Host;
  walk?: SavedWalk | string | null;
  turn?: Partial<Turn> | null;
  drafts?: Drafts | null;
  receipt?: Receipt | null;
  dialect?: string;
  label?: string;
  "tool-call-id"?: string;
  "respond-url"?: string;
  "cancel-url"?: string;
  "events-url"?: string;
  "save-url"?: string;
  "save-version"?: string;
  shortcuts?: "off";
  density?: "compact" | "spacious";
  foldable?: boolean;
  folded?: boolean;
  "keep-receipts"?: boolean;
} & { [Name in keyof AskUserEventMap as `on${Name}`]?: (event: AskUserEventMap[Name]) => void };

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "ask-user": AskUserProps;
    }
  }
}
