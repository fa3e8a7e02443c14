// JSON Forms with its plain HTML controls: all questions on one page. The button that submits is the page's own, as JSON Forms has none.
import { JsonForms } from "@jsonforms/react";
import { vanillaCells, vanillaRenderers } from "@jsonforms/vanilla-renderers";
import { createElement, Fragment, useState } from "react";
import { createRoot } from "react-dom/client";

const EMPTY = {};

function Page() {
  const [{ data, errors }, setState] = useState({ data: EMPTY, errors: [] });
  window.data = data;
  const submit = () => errors.length || (window.answered = data);
  return createElement(Fragment, null,
    createElement(JsonForms, { ...window.bench.form, data: EMPTY, renderers: vanillaRenderers, cells: vanillaCells, onChange: setState }),
    createElement("button", { id: "submit", onClick: submit }, "Submit"));
}

performance.mark("handed over");
createRoot(document.querySelector("main")).render(createElement(Page));
