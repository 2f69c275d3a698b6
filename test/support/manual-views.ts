import type { WorkflowDocument } from "../../src/workflow-engine/workflow-schema.ts";
import { addWorker, iterationOf, startJob, stub } from "./manual-work.ts";
import { startTestPlatform, type TestPlatform } from "./platform.ts";
import type { SearchPerson } from "./search-people.ts";
import { workflowOf } from "./workflow-builder.ts";

/** A page with the values of its task, and what its data and its text must hold. */
export interface ViewCase {
  app: string;
  name: string;
  incoming: Record<string, unknown>;
  data: object;
  text: readonly string[];
}

/** What works a manual task, as clients see it. */
export interface Controller {
  task: { _id: string; taskId: string; status: string };
  variables: { incoming: Record<string, unknown>; outgoing: Record<string, unknown> };
  error: unknown;
  view: string;
  page: { title: string; choices: { finish_state: string; label: string }[]; data: never; download?: string } | null;
  hindrance: string | null;
  TaskController: string;
}

/** Path of a page. */
export function pathOf({ app, name }: Pick<ViewCase, "app" | "name">): string {
  return `/${app === "MOP" ? "mop" : "workflow_engine"}/task/${name}`;
}

const hostile = `<script>alert("&'")</script>`;
const run = (response: string, command = "show clock") => ({
  name: "clocks",
  all_pass_flag: true,
  result: true,
  commands_results: [
    {
      raw: command,
      evaluated: command,
      device: "r1",
      response,
      result: true,
      rules: [{ rule: ":", eval: "contains", severity: "error", raw: ":", result: true }],
    },
  ],
});

/** Every page of the platform. */
export const viewCases: readonly ViewCase[] = [
  {
    app: "WorkFlowEngine",
    name: "ViewData",
    incoming: {
      header: "Check <it>",
      message: "Device <!name!> is <!state!>\nsecond line <!other!>",
      body: { script: hostile },
      variables: { name: "r1", state: { up: true } },
      btn_success: "Go on",
      btn_failure: "Stop",
    },
    data: {
      header: "Check <it>",
      message: 'Device r1 is {"up":true}\nsecond line <!other!>',
      body: { script: hostile },
    },
    text: [
      "<h1>Check &lt;it&gt;</h1>",
      "<p>Device r1 is {&quot;up&quot;:true}</p>",
      "second line &lt;!other!&gt;",
      ">Go on<",
      ">Stop<",
    ],
  },
  {
    app: "WorkFlowEngine",
    name: "ViewDiff",
    incoming: {
      header: "Config",
      message: hostile,
      label1: "old",
      value1: "a\nmtu 1500\nc",
      label2: "new",
      value2: "a\nmtu 9000\nc",
      btn_success: "Accept",
      btn_failure: "",
    },
    data: {
      label1: "old",
      label2: "new",
      added: 1,
      removed: 1,
      isExact: true,
      lines: [
        { type: "same", text: "a", line1: 1, line2: 1 },
        { type: "removed", text: "mtu 1500", line1: 2 },
        { type: "added", text: "mtu 9000", line2: 2 },
        { type: "same", text: "c", line1: 3, line2: 3 },
      ],
    },
    text: [
      "<del><code>mtu 1500</code></del>",
      "<ins><code>mtu 9000</code></ins>",
      "lines removed 1, added 1",
      ">Accept<",
    ],
  },
  {
    app: "WorkFlowEngine",
    name: "ErrorHandling",
    incoming: { severity: "warning", status: { device: "r1", reason: hostile }, retry: true },
    data: { severity: "warning", status: { device: "r1", reason: hostile }, retry: true },
    text: ["<h1>Warning</h1>", ">Continue<", ">Try again<", ">Give up<", ">End in error<"],
  },
  {
    app: "MOP",
    name: "chooseDevice",
    incoming: { filter: "edge" },
    data: { filter: "edge", devices: ["edge-1", "edge-2"], total: 2 },
    text: ['<option value="edge-1">', '<option value="edge-2">', '<label for="device">', 'name="variables[device]"'],
  },
  {
    app: "MOP",
    name: "diffConfig",
    incoming: { pre: "one\ntwo", post: "one\nthree" },
    data: { added: 1, removed: 1 },
    text: ["<del><code>two</code></del>", "<ins><code>three</code></ins>"],
  },
  {
    app: "MOP",
    name: "verifyConfig",
    incoming: { config: `hostname r1\n${hostile}` },
    data: { config: `hostname r1\n${hostile}` },
    text: ["<pre>hostname r1"],
  },
  {
    app: "MOP",
    name: "reloadFailed",
    incoming: { device: "r1", error: hostile },
    data: { device: "r1", error: hostile },
    text: ["Device <b>r1</b> did not come back", ">Try again<", ">Give up<"],
  },
  {
    app: "MOP",
    name: "viewTemplateResults",
    incoming: { mop_template_results: [run("12:00"), { ...run(hostile, "show users"), result: false }] },
    data: { result: false, failed: 0 },
    text: ["clocks: passed", "clocks: failed", '<th scope="row">r1</th>', "passed: contains <code>:</code>"],
  },
  {
    app: "MOP",
    name: "runTemplatesDiff",
    incoming: {
      pre: {
        ...run("12:00"),
        commands_results: [...run("12:00").commands_results, ...run("x", "show a").commands_results],
      },
      post: {
        ...run("12:01"),
        commands_results: [...run("12:01").commands_results, ...run("y", "show b").commands_results],
      },
    },
    data: {
      changed: 1,
      pairs: [{ device: "r1", command: "show clock" }],
      preOnly: [{ device: "r1", command: "show a" }],
      postOnly: [{ device: "r1", command: "show b" }],
    },
    text: ["1 of 1 outputs changed", "<del><code>12:00</code></del>", "Before only", "After only"],
  },
  {
    app: "MOP",
    name: "reviewSummary",
    incoming: { job_id: "" },
    data: {
      job: { status: "running", error: [] },
      tasks: [{ taskId: "workflow_start" }, { taskId: "workflow_end" }, { taskId: "ab" }, { taskId: "a1" }],
    },
    text: ["Tasks of the job; run times in milliseconds", "Download as JSON", "Values of Look at it (ab)"],
  },
];

/** A platform with a workflow for each page, and people who work them. */
export interface ViewBench {
  platform: TestPlatform;
  ann: SearchPerson;
  reader: SearchPerson;
  /** Starts the job of a page: its task waits. */
  open(view: { name: string }): Promise<{ jobId: string; task: string }>;
  /** As a browser asks for a page. */
  fetchPage(
    path: string,
    more?: { method?: string; body?: string; headers?: Record<string, string> },
  ): Promise<Response>;
  /** As a browser sends a form. */
  submit(path: string, fields: Record<string, string>): Promise<Response>;
}

export async function openViewBench(): Promise<ViewBench> {
  const platform = await startTestPlatform();
  const ann = await addWorker(platform, "ann", "operator");
  const reader = await addWorker(platform, "reader", "readonly");
  for (const name of ["edge-1", "edge-2", "core-1"])
    await platform.send("POST", "/inventory/devices", { name, host: "192.0.2.1" });
  for (const view of viewCases) await platform.importWorkflow(workflowFor(view));
  const fetchPage: ViewBench["fetchPage"] = (path, { headers = {}, ...more } = {}) =>
    fetch(new URL(path, platform.platform.url), {
      redirect: "manual",
      ...more,
      headers: { accept: "text/html", authorization: `Bearer ${ann.token}`, ...headers },
    });
  return {
    platform,
    ann,
    reader,
    async open({ name }) {
      const job = await startJob(platform, `page ${name}`);
      return { jobId: job._id, task: await iterationOf(platform, job._id, "ab") };
    },
    fetchPage,
    submit: (path, fields) =>
      fetchPage(path, {
        method: "POST",
        body: new URLSearchParams(fields).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      }),
  };
}

function workflowFor(view: ViewCase): WorkflowDocument {
  const { name, app, incoming } = view;
  const outgoing = name === "chooseDevice" ? { device: "$var.job.device" } : {};
  const task = { name, app, type: "manual", view: pathOf(view), summary: "Look at it", incoming, outgoing };
  return workflowOf(`page ${name}`, { ab: task, a1: stub }, ["start > a1", "a1 > ab", "ab > end", "ab >failure~ a1"]);
}
