// Plays vectors against the headless package, as a host without a form would.
import { open, resume, RefusalError, RejectionError } from "../../pkg/dist/core.node.js";

export class Headless {
  async open({ request, text, dialect, options }) {
    this.arguments = [text ?? request, { ...options, dialect }];
    try {
      this.walk = open(...this.arguments);
    } catch (error) {
      if (error instanceof RejectionError) return { rejected: error.problems };
      throw error;
    }
    return { warnings: this.walk.form.warnings };
  }

  async see() {
    const step = this.walk.step;
    const question = step.question ?? {};
    return {
      ...step,
      ...question,
      question: question.id ?? null,
      review: step.state === "review",
      back: step.back ?? false,
      options: question.options?.map(({ value }) => value) ?? null,
      header: question.header ?? null,
      context: question.context ?? null,
    };
  }

  async act(action) {
    try {
      switch (action.do) {
        case "answer":
          return this.walk.answer(action.value, action);
        case "editor":
          return this.walk.editor(action.text);
        case "reply":
          return this.walk.reply(action.text);
        case "assistant":
          return this.walk.assistant(action.verdict, this.walk.consultation?.record ?? "");
        case "change":
          return this.walk.change(action.id);
        default:
          return this.walk[action.do]();
      }
    } catch (error) {
      if (error instanceof RefusalError) return error;
      throw error;
    }
  }

  async resume() {
    const [request, options] = this.arguments;
    this.walk = resume(request, JSON.stringify(this.walk.save()), options);
  }

  async saved() {
    return JSON.stringify(this.walk.save());
  }

  async ending() {
    const outcome = this.walk.outcome;
    return { outcome, records: this.walk.records };
  }

  async shown() {
    return "";
  }
}
