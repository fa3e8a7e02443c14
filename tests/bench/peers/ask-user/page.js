// ask-user as a page without a bundler has it: the element loads itself, and gets its request from a script.
const element = document.querySelector("ask-user");
element.addEventListener("ask-user-result", ({ detail }) => (window.answered = detail.result));
// Where only the form is measured, all code is loaded before, as it is on the other pages.
if (window.bench.isLoaded) await (await import(/** @type {any} */ (document.querySelector("script[src$='/ask-user.js']")).src)).preload();
performance.mark("handed over");
element.request = window.bench.form;
