// react-jsonschema-form with its core theme and Ajv 8: all questions on one page.
import Form from "@rjsf/core";
import validator from "@rjsf/validator-ajv8";
import { createElement } from "react";
import { createRoot } from "react-dom/client";

const onSubmit = ({ formData }) => (window.answered = formData);

performance.mark("handed over");
createRoot(document.querySelector("main")).render(createElement(Form, { ...window.bench.form, validator, onSubmit }));
