// What is wrong with an answer, in the words of the form: here, or in a worker where a check takes longer than a frame.

export class Checking {
  #model;
  #say;

  /** `say(violation)` gives the sentence of a violation in the language of the form. */
  constructor(model, say) {
    this.#model = model;
    this.#say = say;
  }

  async check() {
    return this.checkNow();
  }

  checkNow() {
    return this.#model.violations().map((violation) => ({ ...violation, message: this.#say(violation) }));
  }
}
