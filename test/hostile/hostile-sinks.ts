import type { Random } from "../fuzz/random.ts";
import { workflowOf } from "../support/workflow-builder.ts";
import { call, documentFor } from "../unit/transformations/document-builder.ts";
import { hostileAddresses } from "./hostile-addresses.ts";
import { hostileArchives } from "./hostile-archives.ts";
import { escapeInputs, hardPatterns, longTemplates } from "./hostile-inputs.ts";
import { escapeTasks, patternTasks, type TaskSink } from "./hostile-tasks.ts";
import type { HostileReply, HostileServer } from "./server-process.ts";

/** What came of one input: a value, an error that says what is wrong, or what must not be. */
export interface Outcome {
  end: "value" | "error" | { wrong: string };
  /** Of the request that took longest. */
  ms: number;
  /** All that was answered. */
  text: string;
}

/** A place of the platform that text of users reaches. */
export interface HostileSink {
  name: string;
  /** As many inputs as wanted. */
  inputs(count: number, random: Random): string[] | Promise<string[]>;
  /** Once, before the inputs. */
  prepare?(server: HostileServer): Promise<void>;
  ask(server: HostileServer, text: string, place: number): Promise<Outcome>;
  /** A worker first loads a library for so long, in milliseconds: the deadline is to be beyond that. */
  loadsMs?: number;
  /** No input may end in a value. */
  refusesAll?: true;
}

/** All sinks. `port`: of a listener on this machine that must never hear of any input. */
export function hostileSinks(port: number): HostileSink[] {
  return [
    ...escapeTasks.map((sink) => ofTask(sink, escapeInputs)),
    ...patternTasks.map((sink) => ofTask(sink, hardPatterns)),
    ...routes,
    ofTask(archive, (count, random) => hostileArchives(escapeInputs(count, random), random)),
    { ...ofTask(restCall, (count, random) => hostileAddresses(count, random, port)), refusesAll: true },
    { ...ofTask(restCallHeaders(port), escapeInputs), refusesAll: true },
  ];
}

const archive: TaskSink = {
  name: "excel file",
  task: "excelToJson",
  incoming: (input) => ({ input }),
  loadsMs: 3_000,
};
const restCall: TaskSink = { name: "restCall address", task: "restCall", incoming: (uri) => ({ uri, verb: "GET" }) };
const restCallHeaders = (port: number): TaskSink => ({
  name: "restCall arguments",
  task: "restCall",
  incoming: (text) => ({
    uri: `http://127.0.0.1:${port}/${text}`,
    verb: "POST",
    user: text,
    headers: { [text]: text, "x-text": text },
    body: { [text]: text },
    options: { ca: text },
  }),
});

/** A task in a workflow that ends well whatever the task ends in. */
function ofTask(sink: TaskSink, inputs: HostileSink["inputs"]): HostileSink {
  const { name, task, app, incoming, loadsMs } = sink;
  const references = Object.fromEntries(Object.keys(incoming("")).map((key) => [key, `$var.job.${key}`]));
  const pass = { incoming: { response: "" } };
  const workflow = workflowOf(
    `hostile ${name}`,
    { a1: { name: task, ...(app === undefined ? {} : { app }), incoming: references }, a2: pass, a3: pass },
    ["start > a1", "a1 > end", "a1 >failure> a2", "a2 > end", "a1 >error> a3", "a3 > end"],
  );
  return {
    name,
    inputs,
    ...(loadsMs === undefined ? {} : { loadsMs }),
    async prepare(server) {
      const { status, text } = await server.request("POST", "/workflow_builder/import", { workflow, options: {} });
      if (status >= 400) throw new Error(`${name}: ${text}`);
    },
    async ask(server, text) {
      const start = { workflow: workflow.name, options: { variables: incoming(text) } };
      return outcomeOfJob(await server.request("POST", "/operations-manager/jobs/start?wait=60000", start), start);
    },
  };
}

interface JobAnswer {
  data: { status: string; tasks: Record<string, { finish_state?: string; status?: string }> };
}

function outcomeOfJob({ status, text, ms }: HostileReply, start: object): Outcome {
  // A member of this name is refused before anything is done with it.
  if (status === 400 && JSON.stringify(start).includes('"__proto__":')) return { end: "error", ms, text };
  if (status >= 400) return { end: { wrong: `status ${status}: ${text.slice(0, 200)}` }, ms, text };
  const { data } = JSON.parse(text) as JobAnswer;
  if (data.status !== "complete") return { end: { wrong: `job ${data.status}` }, ms, text };
  return { end: data.tasks["a3"]?.status === "complete" ? "error" : "value", ms, text };
}

/** What one request after the other came to: the last one tells, unless one before it is refused. */
async function outcomeOf(replies: AsyncIterable<HostileReply>): Promise<Outcome> {
  const seen = { ms: 0, text: "" };
  for await (const { status, text, ms } of replies) {
    seen.ms = Math.max(seen.ms, ms);
    seen.text += text;
    if (status >= 500) return { ...seen, end: { wrong: `status ${status}: ${text.slice(0, 200)}` } };
    if (status >= 400) return { ...seen, end: "error" };
  }
  return { ...seen, end: "value" };
}

type Steps = (server: HostileServer, text: string, place: number) => AsyncIterable<HostileReply>;

function ofSteps(name: string, inputs: HostileSink["inputs"], steps: Steps): HostileSink {
  return { name, inputs, ask: (server, text, place) => outcomeOf(steps(server, text, place)) };
}

const device = "interface Gi0/1\n  description aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\n";

const routes: readonly HostileSink[] = [
  ofSteps("stored Jinja2 template", escapeInputs, async function* (server, text, place) {
    const name = `hostile ${place}`;
    const template = {
      name,
      type: "jinja2",
      template: place % 2 === 0 ? `{{ a }}${text}` : "{{ a }}{% include name ignore missing %}",
    };
    yield await server.request("POST", "/automation-studio/templates", { template });
    const path = `/template_builder/templates/${encodeURIComponent(name)}/renderJinja`;
    yield await server.request("POST", path, { context: { a: text, name: text, [text]: text } });
  }),
  ofSteps("Jinja2 text", escapeInputs, async function* (server, text) {
    yield await server.request("POST", "/configuration_manager/jinja2", {
      template: `{% set t = '${text.replaceAll(/['\\]/gu, "")}' %}{{ t|attr(t) }}{{ x[t] }}{{ t.format(x) }}{{ x|map(attribute=t)|list }}`,
      variables: { x: { [text]: text }, t: text },
    });
  }),
  ofSteps("long Jinja2 text", longTemplates, async function* (server, template, place) {
    const a = [
      "1".repeat(1_000) + "x",
      "%(".repeat(50_000),
      "😀".repeat(30_000),
      Array.from({ length: 3_000 }, String),
    ];
    const path = "/configuration_manager/jinja2";
    yield await server.request("POST", path, { template, variables: { a: a[place % a.length] } });
  }),
  ofSteps("TextFSM template", escapeInputs, async function* (server, text) {
    yield await server.request("POST", "/template_builder/parseTemplate", { template: text, text: device });
  }),
  ofSteps("TextFSM rule", hardPatterns, async function* (server, pattern) {
    const template = `Value A (${pattern.replaceAll(/[$^]/gu, "")})\n\nStart\n  ${pattern}.*\${A} -> Record\n`;
    yield await server.request("POST", "/template_builder/parseTemplate", { template, text: `${"a".repeat(60)}!` });
  }),
  ofSteps("transformation values", escapeInputs, async function* (server, text, place) {
    const uses = [
      call("String.match", text, call("RegExp.new RegExp", text, "g")),
      call("WorkFlowEngine.query", true, text, { a: text, [text]: text }),
      call("Object.keys", call("JSON.parse", text)),
      call("Object.assign", {}, { [text]: text }),
      call("String.replace", text, text, text),
    ];
    yield* storeAndRun(server, documentFor(uses[place % uses.length]), `values ${place}`);
  }),
  ofSteps("transformation document", escapeInputs, async function* (server, text, place) {
    const { document, incoming } = documentFor(call("String.concat", text, "x"));
    const steps = [
      { id: 7, type: "method", library: text, method: text, args: [text, { [text]: text }], context: text },
      { id: 8, type: "method", library: "Object", method: text, args: [text] },
      {
        id: 9,
        type: "assign",
        from: { location: "incoming", name: "value0", ptr: `/${text}` },
        to: { location: "outgoing", name: "result", ptr: `/__proto__/${text}` },
      },
    ];
    const changed = [...(document["steps"] as object[]), steps[place % steps.length] ?? {}];
    yield* storeAndRun(server, { document: { ...document, steps: changed }, incoming }, `document ${place}`);
  }),
  ofSteps("transformation pattern", hardPatterns, async function* (server, pattern, place) {
    const expression = call("String.match", `${"a".repeat(60)}!`, call("RegExp.new RegExp", pattern, "g"));
    yield* storeAndRun(server, documentFor(expression), `pattern ${place}`);
  }),
];

async function* storeAndRun(
  server: HostileServer,
  { document, incoming }: { document: Record<string, unknown>; incoming: Record<string, unknown> },
  name: string,
): AsyncIterable<HostileReply> {
  const stored = await server.request("POST", "/transformations", { ...document, name });
  yield stored;
  const { _id } = JSON.parse(stored.text) as { _id: string };
  yield await server.request("POST", `/transformations/${_id}`, { incoming });
  yield await server.request("DELETE", `/transformations/${_id}`);
}
