// Where a classic script lies, which has no `import.meta`.
export const here = /** @type {HTMLScriptElement | null} */ (globalThis.document?.currentScript)?.src ?? globalThis.location?.href;
