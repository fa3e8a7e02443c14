// For a script tag of a page: lets the browser fetch the form's script and its wasm at the same time. The script alone would ask for the wasm once it runs.
const preload = document.createElement("link");
Object.assign(preload, { rel: "preload", as: "fetch", crossOrigin: "anonymous", href: new URL("form.first.wasm", import.meta.url).href });
document.head.append(preload);
import("./ask-user.js");
