// How a page with forms looks: the themes, colour schemes, languages and directions that the playground and the gallery offer, by the values that stand in their addresses.

/** The files of pkg/themes. */
export const THEMES = { "": "None", shadcn: "shadcn/ui", vscode: "Visual Studio Code", material: "Material 3", primer: "GitHub Primer", system: "System colours" };
export const SCHEMES = { "": "System", light: "Light", dark: "Dark" };
/** The languages of the form: English, and those of pkg/src/locales. */
export const LANGUAGES = {
  "": "English", ar: "العربية", de: "Deutsch", es: "Español", fr: "Français", he: "עברית", ja: "日本語", "pt-BR": "Português (Brasil)", "zh-Hans": "简体中文",
};
export const DIRECTIONS = { "": "Automatic", ltr: "Left to right", rtl: "Right to left" };

const root = document.documentElement;
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
prefersDark.addEventListener("change", () => useScheme(root.dataset.scheme));

/** Shows the page light or dark, by each name that a design system has for it; as the reader has it, without a scheme. */
export function useScheme(scheme) {
  const isDark = scheme ? scheme === "dark" : prefersDark.matches;
  root.dataset.scheme = scheme ?? "";
  root.dataset.colorMode = isDark ? "dark" : "light";
  root.classList.toggle("dark", isDark);
  document.body.classList.toggle("vscode-dark", isDark);
  document.body.classList.toggle("vscode-light", !isDark);
}

/** Puts a theme over all forms, or takes it away. */
export async function useTheme(theme) {
  document.getElementById("theme-file")?.remove();
  root.dataset.theme = theme ?? "";
  if (!theme) return;
  const link = Object.assign(document.createElement("link"), { id: "theme-file", rel: "stylesheet", href: `/pkg/themes/${theme}.css` });
  const loaded = new Promise((resolve, reject) => Object.assign(link, { onload: resolve, onerror: reject }));
  document.head.append(link);
  await loaded;
}

/** Sets the language and the direction of an element and of the forms in it. */
export function useLanguage(element, lang, dir) {
  element.lang = lang || "en";
  if (dir) element.dir = dir;
  else element.removeAttribute("dir");
}

/** Fills a `<select>` with choices: a list of their values and names. */
export function offer(select, choices, chosen) {
  select.replaceChildren(...choices.map(([value, name]) => new Option(name, value, false, value === chosen)));
}
