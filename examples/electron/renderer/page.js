// The page: it shows what the main process asks. The file of one piece needs no server, and nothing is fetched.
const element = /** @type {import("ask-user/inline").InlineAskUser} */ (customElements.get("ask-user"));
element.serve({ transport: window.host, parent: /** @type {Element} */ (document.querySelector("main")) });
