import { expect } from "vitest";
import { notApplicable, type RouteRow, type RouteRows } from "./route-row.ts";
import { unknownName } from "./scene.ts";

const takesNothing = notApplicable("it takes nothing");
const nothingNamed = notApplicable("it names nothing");
const forAll = notApplicable("it is the same for everybody");

const activate = "/workflow_engine/activate";
const activateJobs = "/workflow_engine/jobWorker/activate";

function switching(on: string): RouteRow {
  return {
    good: () => ({}),
    shows: () => true,
    bad: takesNothing,
    unknown: nothingNamed,
    otherGroup: forAll,
    tidy: ({ platform }) => platform.send("POST", on),
  };
}

const worker = { running: true, clusterValue: expect.any(String), localValue: "not defined", startupValue: true };
const page = { skip: 0, limit: expect.any(Number), total: expect.any(Number), results: expect.any(Array) };
const badMetrics = [
  ["/query/limit", 101],
  ["/query/limit", "x"],
  ["/query/skip", -1],
  ["/query/order", 2],
  ["/query/sort", "nonsense"],
  ["/query/containsField", "nonsense"],
  ["/query/equalsField", "nonsense"],
  ["/query/greaterThanEquals", "yesterday"],
  ["/query/greaterThanEqualsField", "workflow.name"],
] as const;
const figures = notApplicable("figures are over the jobs of everybody");
const noMatch = notApplicable("a filter that nothing matches gives no rows");

/** Where an event of outside is told. */
const eventPlace = { source: "routes", topic: "tested" };

/** Workers, locks, figures and events: what is not about one job. */
export const watchRows: RouteRows = {
  "WorkFlowEngine.activate": switching(activate),
  "WorkFlowEngine.deactivate": switching(activate),
  "WorkFlowEngine.activateJobWorker": switching(activateJobs),
  "WorkFlowEngine.deactivateJobWorker": switching(activateJobs),
  "WorkFlowEngine.isActive": {
    good: () => ({}),
    shows: () => true,
    bad: takesNothing,
    unknown: nothingNamed,
    otherGroup: forAll,
  },
  "WorkFlowEngine.getWorkerStatuses": {
    good: () => ({}),
    shows: () => ({ jobWorker: worker, taskWorker: worker }),
    bad: takesNothing,
    unknown: nothingNamed,
    otherGroup: forAll,
  },
  "WorkFlowEngine.getLocks": {
    good: () => ({ query: { limit: 10, skip: 0 } }),
    shows: () => ({ results: [], skip: 0, limit: 10, total: 0 }),
    bad: [
      ["/query/limit", 0],
      ["/query/limit", 1001],
      ["/query/skip", -1],
    ],
    unknown: nothingNamed,
    otherGroup: notApplicable("administrators alone see locks, and they see all"),
  },
  "WorkFlowEngine.getJobMetrics": {
    good: () => ({ query: { limit: 10, order: -1, sort: "workflow.name", contains: "routes" } }),
    shows: () => page,
    bad: badMetrics,
    unknown: noMatch,
    otherGroup: figures,
  },
  "WorkFlowEngine.getTaskMetrics": {
    good: () => ({ query: { limit: 10, equalsField: "workflow.name", equals: "routes" } }),
    shows: () => page,
    bad: badMetrics,
    unknown: noMatch,
    otherGroup: figures,
  },
  "WorkFlowEngine.prepareMetricsLogs": {
    good: () => ({}),
    shows: () => expect.stringMatching(/^\/workflow_engine\/metrics\/.*\?expires=\d+&signature=/u),
    bad: takesNothing,
    unknown: nothingNamed,
    otherGroup: figures,
  },
  "WorkFlowEngine.downloadMetricsLogs": {
    async good({ platform }) {
      const link = await platform.send<string>("GET", "/workflow_engine/metrics/jobs");
      return { query: Object.fromEntries(new URL(link, platform.platform.url).searchParams) };
    },
    bad: [
      ["/query/expires", "x"],
      ["/query/signature", ""],
      ["/query", {}, "/query/expires"],
    ],
    unknown: notApplicable("a link that is not ours is 403"),
    otherGroup: figures,
  },
  "OperationsManager.getEvents": {
    good: () => ({}),
    shows: () => ({ data: expect.arrayContaining([expect.objectContaining({ topic: "jobStart" })]) }),
    bad: takesNothing,
    unknown: nothingNamed,
    otherGroup: forAll,
  },
  "OperationsManager.getEvent": {
    good: () => ({ params: { source: "@itential/app-workflow_engine", topic: "jobPause" } }),
    shows: ({ params }) => ({ data: { ...params, schema: { type: "object" } } }),
    bad: notApplicable("it takes names and nothing else: unknown ones are 404"),
    unknown: [
      ["/params/source", unknownName],
      ["/params/topic", unknownName],
    ],
    otherGroup: forAll,
  },
  "OperationsManager.publishEvent": {
    good: () => ({ params: eventPlace, query: { keepFor: 1 }, body: { payload: { any: [1] } } }),
    shows: () => ({ data: { ...eventPlace, publishedBy: "route-member" } }),
    bad: [
      ["/query/keepFor", -1],
      ["/query/keepFor", 604_801],
      ["/params/source", "@itential/app-workflow_engine"],
    ],
    unknown: notApplicable("nobody has to wait for an event"),
    otherGroup: forAll,
  },
  "OperationsManager.streamEvents": {
    good: async (scene) => ({ query: { job: (await scene.job())._id, topic: "task" } }),
    bad: [
      ["/query/job", ""],
      ["/query/topic", "nonsense"],
    ],
    unknown: ["/query/job"],
    otherGroup: "refused",
  },
};
