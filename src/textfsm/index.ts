export { parseText, type TextFsmAnswer, type TextFsmRequest } from "./parse-text.ts";
export { readTemplate } from "./read-template.ts";
export { runTemplate, type TextFsmRecord } from "./run-template.ts";
export { TextFsmError } from "./textfsm-error.ts";
