// What servers with the AI SDK share.
import { InvalidToolInputError } from "ai";

/**
 * The text of an error, for the stream of a reply. If a call's arguments are not JSON, the SDK gives the model this text as the result of the call; it passes it here
 * first as an error and then as text.
 */
export const errorText = (error) => (typeof error === "string" ? error : InvalidToolInputError.isInstance(error) ? error.message : "The model could not be reached.");
