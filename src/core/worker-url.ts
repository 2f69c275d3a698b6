export { builtUrl as workerUrl } from "./built-url.ts";
