// What a server renders, and a browser takes over.
import { AskUser } from "ask-user/react";
import { createElement } from "react";
import { short } from "./requests.js";

export function Asked(events) {
  const props = { id: "form", className: "wide", label: "Deploy agent", dialect: "ask_user", request: short(), host: { review: false } };
  return createElement("main", null, createElement(AskUser, { ...props, ...events }));
}
