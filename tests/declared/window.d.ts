// What the tests see of a page: they look for elements by selectors, and the compiler does not know which ones these find.
interface Window {
  /** What the tests put into a page. */
  [name: string]: any;
  /** In place of the function of this name. */
  stop: any;
}

interface Event {
  /** The events of the element have it, and so have those that a test makes. */
  readonly detail: any;
  readonly key: string;
}

interface EventTarget {
  readonly localName: string;
  readonly isConnected: boolean;
  remove(): void;
  getRootNode(): Node;
}

interface Element {
  readonly dataset: DOMStringMap;
  style: any;
  readonly labels: any;
  value: any;
  checked: any;
  disabled: any;
  hidden: any;
  inert: boolean;
  placeholder: string;
  selectionStart: number | null;
  selectionEnd: number | null;
  focus(options?: FocusOptions): void;
  click(): void;
  select(): void;
  readonly contentDocument: Document | null;
  readonly contentWindow: Window | null;
  setRangeText(text: string, start: number, end: number, mode?: SelectionMode): void;
}
