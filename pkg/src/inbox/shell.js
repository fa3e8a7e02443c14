// What the page is before its script runs: HTML without a question in it, and the icon with the number of open questions.
import { TEXTS } from "./texts.js";

/** The page. Its script fills it. */
export const page = () => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${TEXTS.title}</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="inbox.page.css">
<script type="module" src="ask-user.js"></script>
<script type="module" src="inbox.page.js"></script>
<body></body>
</html>
`;

/** The icon: a speech bubble, in which the number of open questions stands, if there are any. */
export function icon(open) {
  const count = Math.min(Math.max(Math.trunc(open), 0), 99);
  const text = count ? `<text x="16" y="20" font-family="system-ui,sans-serif" font-size="15" font-weight="700" fill="#fff" text-anchor="middle">${count}</text>` : "";
  const dots = count ? "" : [9, 16, 23].map((x) => `<circle cx="${x}" cy="14" r="2.2" fill="#fff"/>`).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M6 2h20a4 4 0 0 1 4 4v16a4 4 0 0 1-4 4H15l-7 5v-5H6a4 4 0 0 1-4-4V6a4 4 0 0 1 4-4z" fill="${count ? "#b3261e" : "#2f5bea"}"/>${text}${dots}</svg>`;
}
