import { Type } from "@sinclair/typebox";
import { badRequest, PlatformError } from "../core/errors.ts";
import { operationOf, type Operation } from "../core/operation.ts";
import { workRoles, writeRoles } from "../core/roles.ts";
import { isJsonObject } from "../core/json.ts";
import {
  CommandResult,
  Devices,
  Rule,
  TemplateResult,
  Variables,
  type TemplateCommand,
} from "./command-template-schema.ts";
import { runCommands, templateResult, type RunRequest } from "./run-commands.ts";
import type { CommandTemplateServices } from "./services.ts";

const operation = operationOf<CommandTemplateServices>();

const Command = Type.String({
  minLength: 1,
  description: "May hold `<!variables!>`; further lines answer the device's questions.",
});
const OptionalVariables = Type.Optional(Variables);
const ruleMembers = {
  rules: Type.Optional(Type.Array(Rule)),
  passRule: Type.Optional(Type.Boolean({ description: "true (default): every rule must pass; false: one is enough." })),
  ignoreWarnings: Type.Optional(Type.Boolean()),
};
const outgoing = "mop_template_results";
const deviceError =
  "An unknown device is 404 (`No provider capable of handling request`) and nothing is sent to any device; a device that cannot be reached is 502, one that does not answer in time 504.";

/** Running commands and templates on devices: spec templates-gateway-forms.md §1.5. */
export const runOperations: readonly Operation<CommandTemplateServices>[] = [
  operation({
    name: "RunCommandTemplate",
    method: "POST",
    path: "/mop/RunCommandTemplate",
    summary: "Run all commands of a template on devices and judge the outputs by its rules.",
    description: deviceError,
    roles: workRoles,
    body: Type.Object({ template: Type.String({ minLength: 1 }), variables: OptionalVariables, devices: Devices }),
    response: Type.Composite([TemplateResult, Type.Object({ command_results: Type.Array(CommandResult) })]),
    task: { incoming: ["template", "variables", "devices"], outgoing, select: withoutAlias },
    async handle({ templates, run }, { body }) {
      const template = await templates.read(body.template);
      const commands = template.commands ?? [];
      const results = await runCommands(
        { ...common(body), commands, ignoreWarnings: template.ignoreWarnings ?? false },
        run,
      );
      // A shipped client reads the results under this name; job data does without the copy.
      return { ...templateResult(template, results), command_results: results };
    },
  }),
  operation({
    name: "RunCommandTemplateSingleCommand",
    method: "POST",
    path: "/mop/RunCommandTemplateSingleCommand",
    summary: "Run one command out of a template on devices.",
    description: deviceError,
    roles: workRoles,
    body: Type.Object({
      templateId: Type.String({ minLength: 1 }),
      commandIndex: Type.Integer({ minimum: 0, description: "Counted from 0." }),
      variables: OptionalVariables,
      devices: Devices,
    }),
    response: Type.Array(CommandResult),
    task: { incoming: ["templateId", "commandIndex", "variables", "devices"], outgoing },
    async handle({ templates, run }, { body }) {
      const template = await templates.read(body.templateId);
      const command = template.commands?.[body.commandIndex];
      if (!command) {
        const message = `the template has ${template.commands?.length ?? 0} commands`;
        throw badRequest(`No command ${body.commandIndex}: ${message}`, [{ path: "/body/commandIndex", message }]);
      }
      return runCommands(
        { ...common(body), commands: [command], ignoreWarnings: template.ignoreWarnings ?? false },
        run,
      );
    },
  }),
  operation({
    name: "RunCommand",
    method: "POST",
    path: "/mop/RunCommand",
    summary: "Run one command on one device and judge its output by rules.",
    description: deviceError,
    roles: workRoles,
    body: Type.Object({
      command: Command,
      variables: OptionalVariables,
      device: Type.String({ minLength: 1 }),
      ...ruleMembers,
    }),
    response: CommandResult,
    task: { incoming: ["command", "variables", "device"], outgoing },
    async handle({ run }, { body }) {
      const results = await runCommands({ ...single(body), devices: [body.device] }, run);
      const [result] = results;
      if (!result || results.length > 1) {
        throw badRequest("RunCommand gives one result: the command must not name an array", [
          { path: "/body/variables", message: "must hold single values" },
        ]);
      }
      return result;
    },
  }),
  operation({
    name: "RunCommandDevices",
    method: "POST",
    path: "/mop/RunCommandDevices",
    summary: "Run one command on several devices and judge each output by rules.",
    description: deviceError,
    roles: workRoles,
    body: Type.Object({ command: Command, variables: OptionalVariables, devices: Devices, ...ruleMembers }),
    response: Type.Array(CommandResult),
    task: { incoming: ["command", "variables", "devices"], outgoing },
    handle: ({ run }, { body }) => runCommands({ ...single(body), devices: listOf(body.devices) }, run),
  }),
  operation({
    name: "passThru",
    method: "POST",
    path: "/mop/passThru/:device",
    summary: "Send commands to a device as they are and give back its text.",
    description: deviceError,
    roles: writeRoles,
    params: Type.Object({ device: Type.String({ minLength: 1 }) }),
    body: Type.Object({ command: Type.String({ minLength: 1 }) }),
    response: Type.String(),
    task: { incoming: ["device", "command"], outgoing: "result" },
    handle: ({ broker, run }, { params, body }) =>
      broker.runCommand(params.device, body.command, { timeoutMs: run.limits.commandTimeoutMs }),
  }),
  operation({
    name: "GetBootFlash",
    method: "POST",
    path: "/mop/GetBootFlash",
    summary: "Find out which image a device boots from its flash.",
    description: `Reads the image file out of \`show version\`. ${deviceError}`,
    roles: workRoles,
    body: Type.Object({ device: Type.String({ minLength: 1 }) }),
    response: Type.String({ examples: ["bootflash:router-17.9.bin"] }),
    task: { incoming: ["device"], outgoing: "bootFlash" },
    async handle({ broker, run }, { body }) {
      const text = await broker.runCommand(body.device, "show version", { timeoutMs: run.limits.commandTimeoutMs });
      const image = /(?:image file is:?|^\s*boot image:?)\s+"?((?:boot)?(?:flash|disk)\d?:[^\s"]+)/im.exec(text)?.[1];
      if (!image)
        throw new PlatformError(
          "UNPROCESSABLE",
          `Device ${body.device} does not tell its image file in "show version"`,
        );
      return image;
    },
  }),
];

interface SingleCommandBody {
  command: string;
  variables?: Record<string, unknown> | null;
  rules?: NonNullable<TemplateCommand["rules"]>;
  passRule?: boolean;
  ignoreWarnings?: boolean;
}

function single({
  command,
  variables,
  rules = [],
  passRule = true,
  ignoreWarnings = false,
}: SingleCommandBody): Omit<RunRequest, "devices"> {
  return { commands: [{ command, rules, passRule }], variables: variables ?? {}, ignoreWarnings };
}

function common(body: {
  variables?: Record<string, unknown> | null;
  devices: string | string[];
}): Pick<RunRequest, "variables" | "devices"> {
  return { variables: body.variables ?? {}, devices: listOf(body.devices) };
}

function listOf(devices: string | string[]): string[] {
  return typeof devices === "string" ? [devices] : devices;
}

function withoutAlias(reply: unknown): unknown {
  if (!isJsonObject(reply)) return reply;
  const { command_results: _alias, ...result } = reply;
  return result;
}
