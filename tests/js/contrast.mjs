// Looks at every form of a page: whether its targets can be hit, whether it is within its place, and whether its texts can be read against what is behind them, by the colours that the
// browser has computed. `page.evaluate(lookers)` puts `smallTargets()`, `outside()` and `faintTexts()` into a page.

/** Runs in the page. */
export function lookers() {
  const LEAST_TARGET = 24;
  const LEAST_CONTRAST = 4.5;
  const forms = () => /** @type {[state: string, root: ShadowRoot][]} */ ([.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-state]"))].map((section) => [section.dataset.state, section.querySelector(":scope > :not(h2, .failed)")?.shadowRoot]).filter(([, root]) => root));
  const isShown = (/** @type {any} */ element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.closest(".spoken, [hidden]");
  const named = (/** @type {any} */ element) => element.outerHTML.slice(0, 80);

  /** What can be hit and is smaller than 24 by 24 pixels, with its label where it is a choice. */
  window.smallTargets = () =>
    forms().flatMap(([state, root]) =>
      [...root.querySelectorAll("button, a, input, textarea, select, summary, [role=button], [role=checkbox], [contenteditable=true]")].filter(isShown).flatMap((element) => {
        const boxes = [element, ...(element.matches("[type=radio], [type=checkbox]") ? element.labels : [])].map((one) => one.getBoundingClientRect());
        const size = (/** @type {"left" | "top"} */ from, /** @type {"right" | "bottom"} */ to) => Math.max(...boxes.map((box) => box[to])) - Math.min(...boxes.map((box) => box[from]));
        const [width, height] = [size("left", "right"), size("top", "bottom")];
        return width >= LEAST_TARGET && height >= LEAST_TARGET ? [] : [`${state}: ${named(element)} is ${width} by ${height}`];
      }),
    );

  /** What reaches out of its form at a side, and cannot be scrolled to. */
  window.outside = () =>
    forms().flatMap(([state, root]) => {
      const form = root.host.getBoundingClientRect();
      /** @type {(element: any) => boolean} */
      const scrolls = (element) => element !== null && (["auto", "scroll", "clip", "hidden"].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
      return [...root.querySelectorAll("*")].flatMap((element) => {
        if (!isShown(element) || scrolls(element.parentElement)) return [];
        const { left, right, width } = element.getBoundingClientRect();
        return width && (left < form.left - 1 || right > form.right + 1) ? [`${state}: ${named(element)} from ${left} to ${right} in ${form.left} to ${form.right}`] : [];
      });
    });

  const canvas = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true }));
  const known = new Map();
  /** Red, green, blue and alpha from 0 to 1 of any colour that CSS can say. */
  const rgba = (/** @type {any} */ colour) => {
    if (!known.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      known.set(colour, [...canvas.getImageData(0, 0, 1, 1).data].map((part) => part / 255));
    }
    return known.get(colour);
  };
  const over = (/** @type {number[]} */ [r, g, b, a], /** @type {number[]} */ [red, green, blue]) => [r * a + red * (1 - a), g * a + green * (1 - a), b * a + blue * (1 - a), 1];
  const light = (/** @type {any} */ colour) => {
    const [r, g, b] = colour.map((/** @type {number} */ part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (/** @type {any} */ one, /** @type {any} */ other) => {
    const [less, more] = [light(one), light(other)].sort((a, b) => a - b);
    return (more + 0.05) / (less + 0.05);
  };
  const around = (/** @type {any} */ element) => element.assignedSlot ?? element.parentElement ?? element.getRootNode().host;
  /** What is painted behind an element's text: its backgrounds and those around it, one over the other. */
  const behind = (/** @type {any} */ element) => {
    const layers = [];
    for (let place = element; place; place = around(place)) {
      // What stands behind an area that is not painted.
      const before = getComputedStyle(place, "::before");
      const beneath = before.content !== "none" && before.zIndex === "-1" && before.filter === "none" ? [rgba(before.backgroundColor)] : [];
      const colours = [rgba(getComputedStyle(place).backgroundColor), ...beneath];
      layers.push(...colours);
      if (colours.some(([, , , alpha]) => alpha === 1)) break;
    }
    return layers.reverse().reduce((below, colour) => over(colour, below), rgba("Canvas"));
  };

  /** The texts whose contrast is less than 4.5, and how many texts there are. */
  window.faintTexts = () => {
    const faint = new Set();
    let texts = 0;
    const look = (/** @type {any} */ state, /** @type {any} */ element, /** @type {any} */ colour, /** @type {string} */ what) => {
      texts += 1;
      const below = behind(element);
      const ratio = contrast(over(rgba(colour), below), below);
      if (ratio < LEAST_CONTRAST) faint.add(`${state}: ${what} has ${ratio.toFixed(2)}: ${colour} in ${element.className || element.localName}`);
    };
    for (const [state, root] of forms()) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = /** @type {Text | null} */ (walker.nextNode()); node; node = /** @type {Text | null} */ (walker.nextNode())) {
        const element = node.parentElement;
        if (!node.data.trim() || !element || element.localName === "style" || !isShown(element) || /** @type {HTMLButtonElement} */ (element).disabled) continue;
        look(state, element, getComputedStyle(element).color, JSON.stringify(node.data.trim().slice(0, 30)));
      }
      for (const field of root.querySelectorAll("input:not([type=radio], [type=checkbox]), textarea")) {
        if (!isShown(field)) continue;
        if (field.value) look(state, field, getComputedStyle(field).color, `the text of ${field.id || "a field"}`);
        else if (field.placeholder) look(state, field, getComputedStyle(field, "::placeholder").color, `the placeholder of ${field.id || "a field"}`);
      }
    }
    return { texts, faint: [...faint] };
  };
}
