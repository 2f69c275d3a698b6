import { endTaskId, startTaskId, type WorkflowTask } from "../workflow-schema.ts";
import type { VariableWriters, Written } from "./data-flow-variables.ts";
import { boundJobVariable, parseReference, taskReferences, type TaskReference } from "./job-schemas-references.ts";
import { wayText } from "./validate-workflow-references.ts";
import { areDisjoint } from "./validate-workflow-schemas.ts";
import { finding, type Finding, type Validation } from "./validate-workflow-findings.ts";

/*
 * Job variables that tasks write for later tasks: are they written on every way, and do their types fit? Variables
 * that the workflow takes as input, and those that the engine sets, are not looked at.
 */

/** Set by the engine itself (workflow-engine.md §4). */
const engineVariables: ReadonlySet<string> = new Set(["_id", "initiator", "childJobLoopIndex"]);

interface Reading {
  id: string;
  task: WorkflowTask;
  reference: TaskReference;
}

interface Writing {
  id: string;
  writes(state: string): boolean;
  /** Of what is written; undefined when nothing is known of it. */
  schema: object | undefined;
}

/** More than a person reads. */
const mostWays = 100;

/** Problems of job variables, in the order of the document. */
export function variableFindings(validation: Validation): Finding[] {
  const { flow } = validation;
  if (!flow) return [];
  const writings = writingsOf(validation);
  const readings = readingsOf(validation).filter(({ reference }) => writings.has(reference.name));
  const judged = new Map(
    [...grouped(readings.map(({ id, reference }) => [reference.name, id] as const))].map(([name, ids]) => [
      name,
      flow.written(writersOf(writings.get(name) ?? []), [...new Set(ids)]),
    ]),
  );
  let told = 0;
  const findings = readings.flatMap((reading): Finding[] => {
    const { id, reference } = reading;
    const known = judged.get(reference.name) ?? new Map<string, Written>();
    const isInput = [...known.values()].some(({ is }) => is === "input");
    const written = known.get(id);
    if (isInput || written?.is !== "written") return [];
    const way = written.way === undefined || told >= mostWays ? "" : `: ${wayText(written.way())}`;
    if (written.way) told += 1;
    return [
      ...(written.way
        ? [finding("maybe-not-written", id, { argument: reference.argument, name: reference.name, way })]
        : []),
      ...typeFindings(validation, reading, writings.get(reference.name) ?? []),
    ];
  });
  return [...new Map(findings.map((one) => [`${one.task} ${one.message}`, one])).values()];
}

function readingsOf({ workflow }: Validation): Reading[] {
  const { properties } = (workflow.inputSchema ?? {}) as { properties?: unknown };
  const inputs: object = typeof properties === "object" && properties !== null ? properties : {};
  const isGiven = (name: string) => engineVariables.has(name) || Object.hasOwn(inputs, name);
  return Object.entries(workflow.tasks)
    .filter(([id]) => id !== startTaskId && id !== endTaskId)
    .flatMap(([id, task]) => taskReferences(task).map((reference) => ({ id, task, reference })))
    .filter(({ reference }) => reference.source === "job" && reference.isResolved && !isGiven(reference.name));
}

/** Who writes which variable. */
function writingsOf(validation: Validation): Map<string, Writing[]> {
  const all = Object.entries(validation.workflow.tasks).flatMap(([id, task]) => [
    ...outgoingWritings(validation, id, task),
    ...errorWritings(id, task),
    ...newVariableWritings(id, task),
  ]);
  return grouped(all);
}

function grouped<Value>(pairs: readonly (readonly [name: string, value: Value])[]): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const [name, value] of pairs) {
    const group = groups.get(name);
    if (group) group.push(value);
    else groups.set(name, [value]);
  }
  return groups;
}

/** A task may write a variable in several ways. */
function writersOf(writings: readonly Writing[]): VariableWriters {
  const byTask = grouped(writings.map((writing) => [writing.id, writing] as const));
  return new Map([...byTask].map(([id, own]) => [id, (state) => own.some(({ writes }) => writes(state))]));
}

type Named = readonly [name: string, writing: Writing];

function outgoingWritings({ environment }: Validation, id: string, task: WorkflowTask): Named[] {
  const model = environment.findTask(task);
  // Such tasks have values to give also when they end in error.
  const givesInError = task.type === "manual" || task.name === "stub";
  const writes = (state: string) => !isState(state, "cancel") && (givesInError || !isState(state, "error"));
  return Object.entries(task.variables?.outgoing ?? {}).flatMap(([slot, binding]) => {
    const name = boundJobVariable(binding);
    const known = typeof model === "object" ? model.outgoing.find((variable) => variable.name === slot) : undefined;
    return name === undefined ? [] : [[name, { id, writes, schema: known?.schema }] as const];
  });
}

/** The error is written where there is one. */
function errorWritings(id: string, task: WorkflowTask): Named[] {
  const name = boundJobVariable(task.variables?.error);
  const writes = (state: string) => isState(state, "error") || isState(state, "failure");
  return name === undefined ? [] : [[name, { id, writes, schema: undefined }]];
}

function newVariableWritings(id: string, task: WorkflowTask): Named[] {
  if (task.name !== "newVariable") return [];
  const { name, value } = task.variables?.incoming ?? {};
  if (typeof name !== "string" || name === "" || parseReference(name)) return [];
  const isKnown = value !== undefined && value !== null && value !== "" && !parseReference(value);
  return [[name, { id, writes: (state) => isState(state, "success"), schema: isKnown ? { const: value } : undefined }]];
}

/** A loop without an element has a state of its own. */
function isState(state: string, name: string): boolean {
  return state === name || state.startsWith(`${name} `);
}

function typeFindings({ environment }: Validation, { id, task, reference }: Reading, writings: Writing[]): Finding[] {
  const { argument, name, isWhole, pointer } = reference;
  const model = environment.findTask(task);
  if (!isWhole || pointer !== undefined || typeof model !== "object") return [];
  const input = model.incoming.find((known) => known.name === argument)?.schema;
  const isFitting = ({ schema }: Writing) => input === undefined || schema === undefined || !areDisjoint(schema, input);
  if (writings.some(isFitting)) return [];
  const ids = [...new Set(writings.map((writing) => writing.id))];
  const writers = ids.length === 1 ? `task ${ids[0]}` : `each of the tasks ${ids.slice(0, 3).join(", ")}`;
  return [finding("variable-type", id, { argument, name, writers })];
}
