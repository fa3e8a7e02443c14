// Starts the application. In a file of its own, since the page forbids scripts within it.
import start from "./built/ask-user-leptos.js";

await start();
