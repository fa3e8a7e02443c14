// The types of the headless package, as CommonJS takes them.
import core = require("ask-user/core");

export const step: core.Step = core.open({}).step;
export const failed = (error: unknown) => error instanceof core.RejectionError && error.problems.length;
