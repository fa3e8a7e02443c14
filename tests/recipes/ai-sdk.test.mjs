// The recipe for the AI SDK, with chat completions.
import { asks } from "./asks.mjs";

asks("ai-sdk", { lacks: { early: "with chat completions, the provider of the AI SDK gives no call before the reply has ended" } });
