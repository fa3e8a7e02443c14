// What preload.cjs gives the page.
interface Window {
  host: import("ask-user/channel").Transport;
}
