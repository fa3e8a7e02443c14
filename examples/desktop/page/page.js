// The page: it shows what the host asks. The files come by the shell's own protocol; there is no network.
import "./ask-user/ask-user.js";
import { serve } from "./ask-user/channel.js";

const transport = {
  post: (text) => window.ipc.postMessage(text),
  listen(heard) {
    const on = ({ detail }) => heard(detail);
    addEventListener("host", on);
    return () => removeEventListener("host", on);
  },
};
serve({ transport, parent: document.querySelector("main") });
