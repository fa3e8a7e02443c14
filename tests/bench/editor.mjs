// Typing into the JSON editor: how long a key press keeps the page, in a document of 100 kB with 50 violations. Prints the median and
// the 95th percentile beside a frame (1/60 s), and asserts nothing. `node editor.mjs [KEYS]`.
import { launch } from "../js/browser.mjs";

const KEYS = Number(process.argv[2] ?? 200);
const ITEMS = 1_500;
const schema = {
  type: "array",
  items: { type: "object", properties: { id: { type: "integer" }, name: { type: "string", minLength: 1 }, port: { type: "integer", maximum: 65_535 } }, required: ["id", "name", "port"] },
};
const value = Array.from({ length: ITEMS }, (_, id) => ({ id, name: `service ${id}`, port: id % (ITEMS / 50) === 0 ? 70_000 : 8_080 }));
const text = JSON.stringify(value, undefined, 2);

const browser = await launch();
const page = await browser.page("/blank", { viewport: { width: 900, height: 700 } });
await page.evaluate((request) => window.ask({ request }), { question: "Which?", answer_type: "schema", schema });
const form = page.locator("ask-user");
await form.locator(".tab", { hasText: "JSON" }).click();
await form.locator(".cm-content").focus();
await page.keyboard.press("Control+A");
await page.evaluate((text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const editor = window.form().shadowRoot.querySelector(".cm-content");
  editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}, text);
await form.locator(".problems li").nth(49).waitFor();
const ours = await press(form.locator(".cm-content"));
// The same text in a text area that nothing listens to: what a key costs here in any case.
await page.evaluate((text) => {
  const area = document.createElement("textarea");
  Object.assign(area, { value: text, id: "bare", rows: 20, cols: 80 });
  document.body.append(area);
}, text);
const bare = await press(page.locator("#bare"));
const shown = ({ median, most }) => `${median.toFixed(1)} ms in the median, ${most.toFixed(1)} ms at the 95th percentile`;
console.log(`a key typed into ${(text.length / 1_000).toFixed(0)} kB with 50 violations: ${shown(ours)}; into a bare text area with the same text: ${shown(bare)}; a frame has ${(1_000 / 60).toFixed(1)} ms (${KEYS} keys each)`);
await browser.close();

/** Types at the end of the second line; from each key press until everything that it set off in this task has been done. */
async function press(field) {
  await field.focus();
  for (const key of ["Control+Home", "ArrowDown", "End"]) await page.keyboard.press(key);
  await field.evaluate((field) => {
    window.handled = [];
    field.addEventListener("keydown", () => {
      const begun = performance.now();
      const channel = new MessageChannel();
      channel.port1.onmessage = () => window.handled.push(performance.now() - begun);
      channel.port2.postMessage(undefined);
    }, { capture: true });
  });
  for (let key = 0; key < KEYS; key += 1) {
    await page.keyboard.press(key % 2 ? "Backspace" : "x");
    await page.waitForTimeout(20);
  }
  const handled = (await page.evaluate(() => window.handled)).sort((a, b) => a - b);
  const at = (share) => handled[Math.min(handled.length - 1, Math.floor(handled.length * share))];
  return { median: at(0.5), most: at(0.95) };
}
