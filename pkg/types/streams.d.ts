// The tool calls in the streams of model providers, as they are written.

/** What a stream comes from. */
export type Provider = "openai-chat" | "openai-responses" | "anthropic" | "gemini" | "ag-ui" | "ai-sdk";

/** A call that a model has begun to write. */
export interface StreamedCall {
  /** The id of the call; undefined where the provider gives none. */
  id: string | undefined;
  /** The name of the tool. */
  name: string;
  /** The text of its arguments, for `element.request`. It fails where the model's stream ends before the call is whole. */
  text: ReadableStream<string>;
}

/**
 * The calls in a stream, each as soon as it begins. `source` is what the provider sends: the bytes or the text of server-sent events (the body of a response), or the
 * events as objects, as SDKs give them. `tools` names the tools whose calls are wanted; all by default.
 * @throws {TypeError} for a provider that does not exist
 * @throws {Error} where the stream fails, after the texts of the calls that are not whole have failed
 */
export function toolCalls(
  source: ReadableStream<unknown> | AsyncIterable<unknown>,
  options: { provider: Provider; tools?: readonly string[] },
): AsyncGenerator<StreamedCall, void, undefined>;
