// When what is on the page is painted.

/** Milliseconds after which nothing waits for a frame any more: a page that is not seen has none. */
const LONGEST_FRAME = 100;

/** Until what is on the page is painted. */
export const painted = () =>
  new Promise((resolve) => {
    setTimeout(resolve, LONGEST_FRAME);
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(undefined);
    });
  });
