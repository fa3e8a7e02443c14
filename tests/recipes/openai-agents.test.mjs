// The recipe for the OpenAI Agents SDK.
import { asks } from "./asks.mjs";

asks("openai-agents", { lacks: { early: "the run is interrupted when the whole reply is there", writing: "the run is interrupted when the whole reply is there" } });
