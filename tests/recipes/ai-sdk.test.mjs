// The recipe for the AI SDK, with chat completions.
import { asks } from "./asks.mjs";

asks("ai-sdk");
