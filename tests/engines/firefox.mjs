// Firefox, by WebDriver BiDi.
import puppeteer from "puppeteer-core";

/** Starts Firefox. Gives `{ name, open(), close() }`; a page is what page.mjs drives. */
export async function firefox() {
  const executablePath = process.env.FIREFOX ?? "/usr/bin/firefox-esr";
  // What stands behind another page keeps its pace.
  const extraPrefsFirefox = { "dom.min_background_timeout_value": 4, "dom.timeout.enable_budget_timer_throttling": false };
  const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true, extraPrefsFirefox });
  const ours = new Set(await browser.pages());
  return {
    name: await browser.version(),
    async open() {
      const page = await browser.newPage();
      ours.add(page);
      // A page that asks whether to leave it is left.
      page.on("dialog", (dialog) => dialog.accept().catch(() => {}));
      await page.bringToFront();
      return {
        go: (url) => page.goto(url),
        run: (source, text, within) => (within ? page.frames()[1] : page).evaluate(`(${source})(${JSON.stringify(text)})`),
        async keys(held, key) {
          for (const modifier of held) await page.keyboard.down(modifier);
          await page.keyboard.press(key === "Space" ? " " : key);
          for (const modifier of held.toReversed()) await page.keyboard.up(modifier);
        },
        move: (x, y) => page.mouse.move(x, y),
        // A pointer that is there already tells of no move.
        click: async (x, y) => {
          await page.mouse.move(x - 1, y);
          await page.mouse.click(x, y);
        },
        resize: (width, height) => page.setViewport({ width, height }),
        /** How to close a page that nobody here has opened, once there is one. */
        async popup() {
          const opened = (await browser.pages()).find((other) => !ours.has(other));
          return opened && (() => opened.close());
        },
        close: () => page.close(),
      };
    },
    close: () => browser.close(),
  };
}
