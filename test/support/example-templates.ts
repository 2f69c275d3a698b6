import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandTemplateInput } from "../../src/command-templates/command-template-schema.ts";

/** A command template of `examples/command-templates`. */
export function exampleTemplate(file: string): CommandTemplateInput {
  return JSON.parse(
    readFileSync(join(import.meta.dirname, "../../examples/command-templates", file), "utf8"),
  ) as CommandTemplateInput;
}
