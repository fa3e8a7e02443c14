// What a server says for a page with a form.
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { Asked } from "./rendered.js";

export const html = () => renderToString(createElement(Asked));
