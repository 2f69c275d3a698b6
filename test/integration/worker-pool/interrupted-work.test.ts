import { expect, it } from "vitest";
import { startServerProcess } from "../../support/server-process.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { startTestPlatform } from "../../support/platform.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

/** Some seconds of a worker: a number of 3,381 digits is made a text, again and again. */
const template =
  "{% set a = 7 ** 4000 %}{% for i in range(20000) %}{% set x = a|string|length %}{% endfor %}{{ host }} is done";
const stored = { template: { name: "long", type: "jinja2", template } };
const workflow = workflowOf(
  "render for long",
  {
    a1: {
      name: "renderJinjaTemplate",
      app: "TemplateBuilder",
      incoming: { name: "long", context: { host: "r1" } },
      outgoing: { renderedTemplate: "$var.job.text" },
    },
  },
  ["start > a1", "a1 > end"],
);
const workerPool = { workers: 1, deadlineMs: 120_000, memoryMb: 256 };
const done = { data: { status: "complete", variables: { text: { renderedTemplate: "r1 is done" } } } };

interface Started {
  data: { _id: string; status: string };
}

/** Asks as a client would, as long as it takes. */
async function ended(ask: (path: string) => Promise<unknown>, jobId: string): Promise<unknown> {
  const path = `/operations-manager/jobs/${jobId}`;
  await expect.poll(() => ask(path), { timeout: 90_000 }).not.toMatchObject({ data: { status: "running" } });
  return ask(path);
}

it("a rendering that its node does not wait for is made again after the restart", { timeout: 120_000 }, async () => {
  const clock = createManualClock();
  const first = await startTestPlatform({ clock }, { workerPool });
  await first.send("POST", "/automation-studio/templates", stored);
  await first.importWorkflow(workflow);
  const start = { workflow: workflow.name };
  const { data } = await first.send<Started>("POST", "/operations-manager/jobs/start", start);
  // The worker is started once the call has begun.
  await expect
    .poll(() => first.send("GET", `/operations-manager/jobs/${data._id}`))
    .toMatchObject({
      data: { status: "running", tasks: { a1: { status: "running" } } },
    });
  const restarted = first.restart();
  await clock.advance(8_000);
  const second = await restarted;
  try {
    expect(await ended((path) => second.send("GET", path), data._id)).toMatchObject(done);
  } finally {
    await second.stop();
  }
});

/** Too much for the event loop; a worker finds within seconds that nothing matches. */
const patternTask = workflowOf(
  "match for long",
  {
    a1: {
      name: "match",
      incoming: { str: "$var.job.text", regExp: "^(a|a)*b$", flags: "" },
      outgoing: { matches: "$var.job.found" },
    },
  },
  ["start > a1", "a1 > end"],
);
const text = `${"a".repeat(22)}!`;

it("heavy work of a node that was killed is done again by its successor", { timeout: 240_000 }, async () => {
  const first = await startServerProcess({ environment: { LINEWRIGHT_TASK_DEADLINE_MS: "120000" } });
  await first.request("POST", "/automation-studio/templates", stored);
  const jobs: string[] = [];
  for (const one of [workflow, patternTask]) {
    await first.request("POST", "/workflow_builder/import", { workflow: one, options: {} });
    const start = { workflow: one.name, options: { variables: { text } } };
    const { data } = (await first.request("POST", "/operations-manager/jobs/start", start)) as Started;
    jobs.push(data._id);
  }
  for (const job of jobs)
    await expect
      .poll(() => first.request("GET", `/operations-manager/jobs/${job}`))
      .toMatchObject({
        data: { status: "running", tasks: { a1: { status: "running" } } },
      });
  await first.kill();
  const second = await first.restart();
  const ask = (path: string) => second.request("GET", path);
  try {
    const [rendered = "", matched = ""] = jobs;
    expect(await ended(ask, rendered)).toMatchObject({
      data: { ...done.data, variables: { text: { renderedTemplate: "r1 is done" } } },
    });
    expect(await ended(ask, matched)).toMatchObject({ data: { status: "complete", variables: { found: null } } });
  } finally {
    await second.stop();
  }
});
