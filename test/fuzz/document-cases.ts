import { isJsonObject } from "../../src/core/json.ts";
import { parsed } from "./check-reply.ts";
import { ownWorkflows, type Corpus, type DocumentKind } from "./corpus.ts";
import type { FuzzCase } from "./fuzz-case.ts";
import { hostileValue } from "./hostile-values.ts";
import { libraryWorkflow } from "./library-workflow.ts";
import { mutate } from "./mutate.ts";
import { mutateWorkflow } from "./mutate-workflow.ts";
import { createRandom, type Random } from "./random.ts";
import type { Session } from "./session.ts";
import { jsonRequest } from "./target.ts";

const kinds: readonly DocumentKind[] = [
  ...Array.from({ length: 6 }, (): DocumentKind => "workflow"),
  "transformation",
  "transformation",
  "commandTemplate",
  "project",
];

/** The case of the document with this number: a good document, changed, sent through all that is done with its kind. */
export function documentCase(corpus: Corpus, seed: number, index: number): FuzzCase {
  const random = createRandom(seed, index);
  const kind = kinds[index % kinds.length] ?? "workflow";
  const base = named(kind === "workflow" ? pickWorkflow(corpus, random) : random.pick(corpus[kind]), index, random);
  const subject = kind === "workflow" ? runOf(changedWorkflow(base, random), random) : changed(base, random);
  const choice = random.below(3);
  return { name: `${kind} ${index}`, subject, run: (session, document) => scripts[kind](session, document, choice) };
}

/** Own workflows do something when they run; most of the others only name adapters that are not here. */
function pickWorkflow({ workflow }: Corpus, random: Random): Readonly<Record<string, unknown>> {
  if (random.chance(0.4)) return libraryWorkflow(random);
  return random.pick(random.chance(0.6) ? workflow.slice(0, ownWorkflows) : workflow);
}

/** A name of its own, and mostly an identifier of its own, so that documents do not meet each other. */
function named(document: Readonly<Record<string, unknown>>, index: number, random: Random): Record<string, unknown> {
  const { _id, ...rest } = document;
  const name = `${String(document["name"])} fuzz ${index}`;
  return random.chance(0.1) && _id !== undefined ? { _id, ...rest, name } : { ...rest, name };
}

const changeCounts = [0, 1, 1, 1, 2, 2, 3, 6];

function changed(document: unknown, random: Random): unknown {
  return mutate(document, random, random.pick(changeCounts));
}

/** A quarter is changed as any document, a quarter as workflows can be, and half so that it mostly still runs. */
function changedWorkflow(workflow: unknown, random: Random): unknown {
  const way = random.below(4);
  if (way === 0) return changed(workflow, random);
  const copy = structuredClone(workflow);
  for (let times = random.pick(changeCounts); times > 0; times--) mutateWorkflow(copy, random, way === 1);
  return copy;
}

/** A workflow together with how it is started. */
interface WorkflowRun {
  workflow: unknown;
  options: unknown;
}

function runOf(workflow: unknown, random: Random): WorkflowRun {
  const variables = { seen: [], list: [{ text: "a" }, { text: "b" }], text: "c" };
  const mock = {
    finish_state: random.pick(["success", "failure", "error"]),
    outgoing: { result: hostileValue(random) },
  };
  const tasks = isJsonObject(workflow) ? workflow["tasks"] : undefined;
  const taskIds = isJsonObject(tasks) ? Object.keys(tasks) : ["a1"];
  const mocks = taskIds.length > 0 && random.chance(0.15) ? { [random.pick(taskIds)]: mock } : {};
  const options = { description: "fuzz", variables, mocks };
  return { workflow, options: random.chance(0.2) ? mutate(options, random, 1) : options };
}

type Script = (session: Session, document: unknown, choice: number) => Promise<void>;

const scripts: Readonly<Record<DocumentKind, Script>> = {
  workflow: runWorkflow,
  transformation: runTransformation,
  commandTemplate: runCommandTemplate,
  project: importProject,
};

const waitMs = 2_000;

async function runWorkflow(session: Session, subject: unknown, choice: number): Promise<void> {
  const { workflow, options } = subject as WorkflowRun;
  await session.ask(jsonRequest("POST", "/automation-studio/workflows/validate", { workflow }), { isFree: true });
  const imported = await session.ask(jsonRequest("POST", "/workflow_builder/import", { workflow, options: {} }));
  const name = textAt(imported.text, "name");
  if (imported.status >= 400 || name === undefined) return;
  await session.ask(jsonRequest("POST", "/workflow_builder/export", { options: { name } }), { isFree: true });
  const path = `/operations-manager/jobs/start?wait=${waitMs}`;
  const jobsBefore = session.target.stored.countJobsOf(name);
  const started = await session.ask(jsonRequest("POST", path, { workflow: name, options }), { isFree: true });
  if (started.status >= 400) {
    session.require(session.target.stored.countJobsOf(name) === jobsBefore, "a start that was refused left a job");
    return;
  }
  await endJob(session, started.text, choice);
}

/** Looks at a job in one of the older family's views, and cancels it when it did not end. */
async function endJob(session: Session, text: string, choice: number): Promise<void> {
  const { data } = (parsed(text) ?? {}) as { data?: { _id: string; status: string } };
  session.require(data !== undefined, "a start was answered without its job");
  if (!data) return;
  const views = [`/workflow_engine/getEntireJob/${data._id}`, `/workflow_engine/job/${data._id}/details`];
  await session.ask(jsonRequest("GET", views[choice] ?? `/workflow_engine/getJobShallow/${data._id}`));
  if (data.status === "complete" || data.status === "canceled") return;
  const canceled = await session.ask(jsonRequest("POST", "/workflow_engine/cancelJob", { job_id: data._id }), {
    isFree: true,
  });
  session.require(
    [200, 409].includes(canceled.status),
    `a job cannot be canceled: ${canceled.status} ${canceled.text.slice(0, 200)}`,
  );
}

async function runTransformation(session: Session, transformation: unknown): Promise<void> {
  await session.ask(jsonRequest("POST", "/transformations/validate", { transformation }), { isFree: true });
  const imported = await session.ask(jsonRequest("POST", "/transformations/import", { transformation }));
  const id = textAt(imported.text, "_id");
  if (imported.status >= 400 || id === undefined) return;
  const path = `/transformations/${encodeURIComponent(id)}`;
  for (const incoming of [{}, { list: ["a", "b"] }, incomingOf(transformation)])
    await session.ask(jsonRequest("POST", path, { incoming, options: {} }), { isFree: true });
  await session.ask(jsonRequest("GET", path));
  await session.ask(jsonRequest("DELETE", path));
}

/** A value of the asked type for every incoming of the document. */
function incomingOf(transformation: unknown): Record<string, unknown> {
  const slots =
    isJsonObject(transformation) && Array.isArray(transformation["incoming"]) ? transformation["incoming"] : [];
  const values: Record<string, unknown> = {
    array: [{ a: 1 }, "b"],
    object: { a: { b: [1] } },
    number: 3,
    boolean: true,
  };
  return Object.fromEntries(
    slots.flatMap((slot) =>
      isJsonObject(slot) ? [[textOf(slot["$id"]), values[textOf(slot["type"])] ?? "text"]] : [],
    ),
  );
}

async function runCommandTemplate(session: Session, template: unknown): Promise<void> {
  const imported = await session.ask(jsonRequest("POST", "/mop/import", { template, type: "templates" }));
  const name = isJsonObject(template) ? template["name"] : undefined;
  if (imported.status >= 400 || typeof name !== "string") return;
  await session.ask(jsonRequest("POST", "/mop/export", { options: { name }, type: "templates" }), { isFree: true });
  const body = { template: name, variables: { interface: ["eth0", "eth1"], a: null }, devices: ["fuzz device"] };
  await session.ask(jsonRequest("POST", "/mop/RunCommandTemplate", body), { isFree: true });
}

async function importProject(session: Session, project: unknown, choice: number): Promise<void> {
  const body = { project, conflictMode: choice === 0 ? "insert-new" : "overwrite", assignNewReferences: choice === 0 };
  const imported = await session.ask(jsonRequest("POST", "/automation-studio/projects/import", body));
  const { data } = (parsed(imported.text) ?? {}) as { data?: { _id?: string } | null };
  if (imported.status >= 400 || !data?._id) return;
  await session.ask(jsonRequest("GET", `/automation-studio/projects/${data._id}`));
  await session.ask(jsonRequest("GET", `/automation-studio/projects/${data._id}/export`));
  await session.ask(jsonRequest("DELETE", `/automation-studio/projects/${data._id}`));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function textAt(json: string, member: string): string | undefined {
  const body = parsed(json);
  const value = isJsonObject(body) ? body[member] : undefined;
  return typeof value === "string" ? value : undefined;
}
