// Mounts the page.
import { createApp } from "vue";
import Deployment from "./Deployment.vue";

createApp(Deployment).mount("#app");
