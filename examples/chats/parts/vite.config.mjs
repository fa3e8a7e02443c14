// React's plugin. `dedupe` is needed only because ask-user is a link to this project's folder here, where React is not installed.
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({ plugins: [react()], resolve: { dedupe: ["react"] } });
