// What stops the time of a page: browser.mjs serves it.
export { install } from "@sinonjs/fake-timers";
