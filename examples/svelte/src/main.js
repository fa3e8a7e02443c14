// Mounts the page.
import { mount } from "svelte";
import Deployment from "./Deployment.svelte";

mount(Deployment, { target: document.getElementById("app") });
