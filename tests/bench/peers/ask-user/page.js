// ask-user as a page without a bundler has it: the element loads itself, and gets its request from a script.
const element = document.querySelector("ask-user");
element.addEventListener("ask-user-result", ({ detail }) => (window.answered = detail.result));
performance.mark("handed over");
element.request = window.bench.form;
