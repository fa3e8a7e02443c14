// React's plugin, and nothing for ask-user. `dedupe`: in this repository ask-user is a link, and React is to be found from here, not from there.
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({ plugins: [react()], resolve: { dedupe: ["react"] } });
