// Every word that the editor says of its own.

/** Of the editor itself. */
export const WORDS = {
  label: "Your answer, as JSON",
  format: "Format",
  plain: "Plain text",
  rich: "Editor",
  duplicate: (name) => `The key ${JSON.stringify(name)} stands here and again below; only the last one counts.`,
  required: "required",
  keys: "Ctrl+Space proposes, F1 describes, F8 goes to the next problem, Ctrl+F searches, Esc then Tab indents",
  or: " or ",
  types: {
    string: "text",
    integer: "a whole number",
    number: "a number",
    boolean: "true or false",
    array: "a list",
    object: "an object",
    null: "null",
  },
  limits: {
    minimum: "at least",
    maximum: "at most",
    exclusiveMinimum: "more than",
    exclusiveMaximum: "less than",
    multipleOf: "a multiple of",
    minLength: "characters: at least",
    maxLength: "characters: at most",
    minItems: "items: at least",
    maxItems: "items: at most",
    format: "format",
    pattern: "pattern",
    default: "default",
  },
};
