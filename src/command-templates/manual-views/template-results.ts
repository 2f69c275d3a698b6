import { textOf } from "../../core/html.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";

/** One rule of a command after a run, as far as the value tells. */
export interface ShownRule {
  rule: string;
  eval: string;
  severity: string;
  result: boolean;
}

/** One command on one device after a run. */
export interface ShownCommand {
  device: string;
  command: string;
  /** As the template has it. */
  raw: string;
  response: string;
  result: boolean;
  rules: ShownRule[];
}

/** A template after a run. */
export interface ShownTemplate {
  name: string;
  result: boolean;
  commands: ShownCommand[];
}

/**
 * Reads results of template runs: one result or a list of them (templates-gateway-forms.md §1.5, §1.10).
 * Workflows hand on what they like: what is missing is empty, what is no result is left out.
 */
export function readTemplateResults(value: unknown): ShownTemplate[] {
  const results = (Array.isArray(value) ? value : [value]).filter((item) => isJsonObject(item));
  const loose = results.filter((result) => !Array.isArray(commandsOf(result)) && "response" in result);
  const templates = results.filter((result) => Array.isArray(commandsOf(result))).map(template);
  return loose.length === 0 ? templates : [...templates, looseCommands(loose)];
}

/** `RunCommand` gives commands without a template. */
function looseCommands(results: readonly JsonObject[]): ShownTemplate {
  const commands = results.map(command);
  return { name: "", result: commands.every((item) => item.result), commands };
}

function commandsOf(result: JsonObject): unknown {
  return result["commands_results"] ?? result["command_results"];
}

function template(result: JsonObject): ShownTemplate {
  const commands = (commandsOf(result) as unknown[]).filter((item) => isJsonObject(item)).map(command);
  return { name: textOf(result["name"]), result: result["result"] === true, commands };
}

function command(result: JsonObject): ShownCommand {
  const rules: unknown[] = Array.isArray(result["rules"]) ? result["rules"] : [];
  return {
    device: textOf(result["device"]),
    command: textOf(result["evaluated"] ?? result["command"] ?? result["raw"]),
    raw: textOf(result["raw"]),
    response: textOf(result["response"]),
    result: result["result"] === true,
    rules: rules.filter((item) => isJsonObject(item)).map(rule),
  };
}

function rule(result: JsonObject): ShownRule {
  return {
    rule: textOf(result["rule"]),
    eval: textOf(result["eval"]),
    severity: textOf(result["severity"]),
    result: result["result"] === true,
  };
}
