// Vue takes a tag with a hyphen for a component of its own, unless it is told otherwise.
import vue from "@vitejs/plugin-vue";
import { defineConfig } from "vite";

const isCustomElement = (tag) => tag === "ask-user";
export default defineConfig({ plugins: [vue({ template: { compilerOptions: { isCustomElement } } })] });
