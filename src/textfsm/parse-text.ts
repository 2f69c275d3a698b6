import { readTemplate } from "./read-template.ts";
import { runTemplate, type TextFsmRecord } from "./run-template.ts";
import { TextFsmError } from "./textfsm-error.ts";

/** A text to be read with a template. */
export interface TextFsmRequest {
  template: string;
  text: string;
}

/** The records, or what is wrong. */
export type TextFsmAnswer = { records: TextFsmRecord[] } | { problem: string };

/** Reads a text with a template of TextFSM. For a worker of the pool: patterns of users take as long as they take. */
export function parseText({ template, text }: TextFsmRequest): TextFsmAnswer {
  try {
    return { records: runTemplate(readTemplate(template), text) };
  } catch (thrown) {
    if (thrown instanceof TextFsmError) return { problem: thrown.message };
    throw thrown;
  }
}
