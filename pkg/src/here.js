// Where a classic script lies, which has no `import.meta`.
export const here = globalThis.document?.currentScript?.src ?? globalThis.location?.href;
