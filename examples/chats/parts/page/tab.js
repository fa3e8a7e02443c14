// What a browser tab keeps of a chat over a reload: its id, and what was answered or typed.

/** The id of the chat, which stands in the address. */
export const id = new URLSearchParams(location.search).get("chat") ?? crypto.randomUUID();
history.replaceState(null, "", `?chat=${id}`);

/** The host's option `storage` of the forms. They store no secrets. */
export const storage = { get: (key) => sessionStorage.getItem(key), set: (key, text) => sessionStorage.setItem(key, text) };
