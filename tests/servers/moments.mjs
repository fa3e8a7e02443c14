// Ends this process with SIGKILL at the moment that its last argument names. Moments are counted: before and after each call of what `between` gives. 0 is never.
let left = Number(process.argv.at(-1));

function passes() {
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
}

/** A function that does the same, with a moment before it and one after it. */
export const between = (act) => async (...given) => {
  passes();
  const result = await act(...given);
  passes();
  return result;
};

/**
 * A store with these moments around each of its functions.
 * @type {<S extends object>(store: S) => S}
 */
export const mortal = (store) => /** @type {any} */ (Object.fromEntries(Object.entries(store).map(([name, act]) => [name, between(act)])));
