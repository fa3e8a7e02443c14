/**
 * A moment (RFC 3339, `date-time`) in milliseconds since the beginning of 1970, as the core counts them. A leap second, which `Date` does not know, is the
 * second after the one before it.
 * @param {string} text
 */
export const momentOf = (text) => {
  const isLeap = /:60(?=[.Z+-])/i.test(text);
  return Date.parse(text.toUpperCase().replace(/:60(?=[.Z+-])/, ":59")) + (isLeap ? 1_000 : 0);
};

/** The longest time that a timer of JavaScript can have, in milliseconds. */
export const LONGEST = 2 ** 31 - 1;
