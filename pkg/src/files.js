// The files of the languages, by tag. A bundle that fetches nothing has none of them.
export const FILES = {
  ar: () => import("./locales/ar.js"),
  de: () => import("./locales/de.js"),
  es: () => import("./locales/es.js"),
  fr: () => import("./locales/fr.js"),
  he: () => import("./locales/he.js"),
  ja: () => import("./locales/ja.js"),
  "pt-BR": () => import("./locales/pt-BR.js"),
  "zh-Hans": () => import("./locales/zh-Hans.js"),
};
