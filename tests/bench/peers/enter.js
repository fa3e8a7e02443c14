// Enters a value into a control, as a person does in one go: for the drivers.

/** Sets the value, by the label where it is a choice, and tells the page. React hears of it, too. */
export function enter(control, value) {
  if (control.localName === "select") control.selectedIndex = [...control.options].findIndex(({ label }) => label === value);
  else Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value").set.call(control, value);
  for (const name of ["input", "change"]) control.dispatchEvent(new Event(name, { bubbles: true, composed: true }));
}

/** Whether a question is the last one. */
export const isLast = ({ id }) => window.bench.questions.at(-1).id === id;
