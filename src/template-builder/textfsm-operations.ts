import { Type } from "@sinclair/typebox";
import { operationOf, type Operation } from "../core/operation.ts";
import { workRoles } from "../core/roles.ts";
import type { TextFsmParser } from "./textfsm-parser.ts";

/** What parsing works on. */
export interface TextFsmServices {
  textFsm: TextFsmParser;
}

const Records = Type.Array(Type.Object({}, { additionalProperties: true }), {
  description: "One object for each record: texts by the names of the values, lists for values with option List.",
});
const Text = Type.String({ description: "What is read, for example the output of a command." });

const operation = operationOf<TextFsmServices>();

/** Parsing with TextFSM templates: spec templates-gateway-forms.md §7.1, §7.4. The shapes are ours, as none is public. */
export const textFsmOperations: readonly Operation<TextFsmServices>[] = [
  operation({
    name: "parseTemplate",
    method: "POST",
    path: "/template_builder/parseTemplate",
    summary: "Read data out of a text with a given TextFSM template.",
    roles: workRoles,
    body: Type.Object({ template: Type.String({ description: "The template itself." }), text: Text }),
    response: Records,
    task: { incoming: ["template", "text"], outgoing: "result" },
    handle: ({ textFsm }, { body, caller }) => textFsm.parse(body.template, body.text, caller.accountId),
  }),
  operation({
    name: "applyTemplate",
    method: "POST",
    path: "/template_builder/applyTemplate",
    summary: "Read data out of a text with a stored TextFSM template.",
    description: "Templates of a project are named `@<projectId>: <name>`.",
    roles: workRoles,
    body: Type.Object({ name: Type.String({ minLength: 1 }), text: Text }),
    response: Records,
    task: { incoming: ["name", "text"], outgoing: "result" },
    handle: ({ textFsm }, { body, caller }) => textFsm.apply(body.name, body.text, caller.accountId),
  }),
  operation({
    name: "applyTemplates",
    method: "POST",
    path: "/template_builder/applyTemplates",
    summary: "Read data out of a text with a group of TextFSM templates.",
    description: "Each template of the group tells its records, or why it has none. 100 templates at most.",
    roles: workRoles,
    body: Type.Object({ group: Type.String({ minLength: 1 }), text: Text }),
    response: Type.Array(
      Type.Object({ name: Type.String(), records: Type.Optional(Records), error: Type.Optional(Type.String()) }),
    ),
    task: { incoming: ["group", "text"], outgoing: "result" },
    handle: ({ textFsm }, { body, caller }) => textFsm.applyGroup(body.group, body.text, caller.accountId),
  }),
];
