// A form of react-jsonschema-form in a page: one schema, and what its form says is wrong with a value.
import Form from "@rjsf/core";
import validator from "@rjsf/validator-ajv8";
import { createRef } from "react";
import { createRoot } from "react-dom/client";

const root = createRoot(document.querySelector("main"));

window.show = ({ schema, value }) => {
  const form = createRef();
  root.render(<Form ref={form} schema={schema} formData={value} validator={validator} showErrorList={false} />);
  /** The distinct places of what is wrong. A member that is missing is wrong at the object that it is missing in. */
  window.wrong = async () => {
    form.current.validateForm();
    // React renders what is wrong later.
    await new Promise((resolve) => setTimeout(resolve, 200));
    const place = ({ property = "", params: { missingProperty } = /** @type {any} */ ({}) }) => (missingProperty && property.endsWith(missingProperty) ? property.slice(0, -missingProperty.length).replace(/\.$/, "") : property);
    return [...new Set(form.current.state.errors.map(place))];
  };
};
