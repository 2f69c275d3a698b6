import type { Clock } from "../core/clock.ts";
import { badRequest, PlatformError } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { DeviceBroker, RunOnDevice } from "../device-broker/index.ts";
import type {
  CommandResult,
  CommandTemplate,
  RuleResult,
  TemplateCommand,
  TemplateResult,
} from "./command-template-schema.ts";
import type { RuleRegexes } from "./comparison.ts";
import { commandPasses, evaluateRule } from "./rules.ts";
import { runOnDevices } from "./run-on-devices.ts";
import { expandArrays, mostExpansions, substitute, type VariableValues } from "./substitution.ts";

/** What running needs. */
export interface RunParts {
  broker: DeviceBroker;
  regexRunner: RuleRegexes;
  clock: Clock;
  logger: Logger;
  limits: RunLimits;
}

export interface RunLimits {
  /** Most devices at a time in one run. */
  parallelDevices: number;
  /** For one command on one device. */
  commandTimeoutMs: number;
  /** For a whole run on all devices. */
  runTimeoutMs: number;
}

export const defaultRunLimits: RunLimits = { parallelDevices: 20, commandTimeoutMs: 60_000, runTimeoutMs: 3_600_000 };

/** What to run: commands with their rules, the values for their variables, and the devices. */
export interface RunRequest {
  commands: readonly TemplateCommand[];
  variables: VariableValues;
  devices: readonly string[];
  ignoreWarnings: boolean;
}

/**
 * Runs commands on devices: spec templates-gateway-forms.md §1.5. Nothing is sent when a device is
 * unknown. Each device gets the commands in order on one shell; a command that cannot be carried out is
 * an error of the run, never a failed rule. Results: devices in the order given, commands in theirs.
 */
export async function runCommands(request: RunRequest, parts: RunParts): Promise<CommandResult[]> {
  const { broker, clock, limits, logger } = parts;
  if (request.devices.length === 0)
    throw badRequest("No device is given", [{ path: "/body/devices", message: "must name at least one device" }]);
  const steps = request.commands.flatMap((command) => expandCommand(command, request));
  for (const step of steps) {
    if (step.missing.length > 0)
      logger.warn("a command was skipped: a variable has no value", { variables: step.missing });
  }
  await broker.requireDevices(request.devices);
  const endsAt = clock.now() + limits.runTimeoutMs;
  const perDevice = await runOnDevices(request.devices, limits.parallelDevices, (device) =>
    broker.useDevice(device, async (run) => {
      const results: CommandResult[] = [];
      for (const step of steps) {
        const timeoutMs = Math.min(limits.commandTimeoutMs, endsAt - clock.now());
        if (timeoutMs <= 0)
          throw new PlatformError("GATEWAY_TIMEOUT", `The run took longer than ${limits.runTimeoutMs} ms`);
        results.push(await runStep(step, device, { run, timeoutMs, parts, ignoreWarnings: request.ignoreWarnings }));
      }
      return results;
    }),
  );
  return perDevice.flat();
}

/** The result of a whole template: spec templates-gateway-forms.md §1.5. */
export function templateResult(template: CommandTemplate, results: CommandResult[]): TemplateResult {
  const all = template.passRule ?? true;
  const passes = (entry: CommandResult) => entry.result;
  return {
    all_pass_flag: all,
    result: results.length === 0 || (all ? results.every(passes) : results.some(passes)),
    commands_results: results,
    name: template.name,
  };
}

interface Step {
  command: TemplateCommand;
  values: VariableValues;
  text: string;
  used: Record<string, unknown>;
  missing: string[];
}

function expandCommand(command: TemplateCommand, { variables }: RunRequest): Step[] {
  const expansions = expandArrays(command.command, variables);
  if (!expansions) throw badRequest(`The arrays of a command give more than ${mostExpansions} commands`);
  return expansions.map((values) => ({ command, values, ...substitute(command.command, values) }));
}

interface StepContext {
  run: RunOnDevice;
  timeoutMs: number;
  parts: RunParts;
  ignoreWarnings: boolean;
}

async function runStep(
  step: Step,
  device: string,
  { run, timeoutMs, parts, ignoreWarnings }: StepContext,
): Promise<CommandResult> {
  const { command, values, text } = step;
  const all = command.passRule ?? true;
  if (step.missing.length > 0)
    return commandResult(step, device, { response: "", rules: [], result: true, skipped: true });
  const response = await run(text, { timeoutMs });
  const rules: RuleResult[] = [];
  for (const rule of command.rules ?? [])
    rules.push(await evaluateRule(rule, { response, values, regexes: parts.regexRunner }));
  return commandResult(step, device, { response, rules, result: commandPasses(rules, all, ignoreWarnings) });
}

function commandResult(
  { command, text, used }: Step,
  device: string,
  outcome: Pick<CommandResult, "response" | "rules" | "result" | "skipped">,
): CommandResult {
  const { rules, response, result, skipped } = outcome;
  return {
    raw: command.command,
    all_pass_flag: command.passRule ?? true,
    evaluated: text,
    command: text,
    parameters: used,
    rules,
    device,
    response,
    result,
    ...(skipped && { skipped }),
  };
}
