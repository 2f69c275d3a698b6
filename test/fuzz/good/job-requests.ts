import { viewCases } from "../../support/manual-views.ts";
import { colleague, peopleWorkflow, viewWorkflow } from "./common-objects.ts";
import { idOf, iterationOf, SetUpRefused, type FuzzScene, type JobState } from "./fuzz-scene.ts";
import {
  filterList,
  memberOf,
  someOf,
  type GoodRequest,
  type GoodRequests,
  type RequestParts,
} from "./good-request.ts";

/** A job in the path, and this body. */
function inPath(param: string, state: JobState = "running", body?: unknown): GoodRequest {
  return async (scene) => {
    const params = { [param]: (await scene.job(state))._id };
    return body === undefined ? { params } : { params, body };
  };
}

/** A job in the body, as `job_id`. */
function inBody(state: JobState, members: object = {}): GoodRequest {
  return async (scene) => ({ body: { job_id: (await scene.job(state))._id, ...members } });
}

/** Jobs in the body, as `jobIds`. */
function several(state: JobState): GoodRequest {
  return async (scene) => ({ body: { jobIds: [(await scene.job(state))._id, (await scene.job(state))._id] } });
}

const startRequest: GoodRequest = (_, { body }) => ({
  params: { workflow: peopleWorkflow },
  query: {},
  body: { ...memberOf(body, "description"), variables: { header: "h" } },
});

const startWithOptions: GoodRequest = ({ random }) => ({
  params: { workflow: peopleWorkflow },
  query: someOf(random, { wait: 10 }),
  body: { options: someOf(random, { description: "d", variables: { seen: [] }, type: "automation" }) },
});

const startByBody: GoodRequest = ({ random }) => ({
  query: someOf(random, { wait: 10 }),
  body: { workflow: peopleWorkflow, options: someOf(random, { description: "d", variables: { seen: [] } }) },
});

async function group(scene: FuzzScene): Promise<string> {
  return idOf(await scene.ask("POST", "/user-management/groups", { name: scene.freshName() }));
}

/** A job of a group, with what names that group. */
const ofGroup =
  (param: string, more: (groupId: string) => { params?: object; body?: unknown }): GoodRequest =>
  async (scene) => {
    const groupId = await group(scene);
    const { _id } = await scene.job("running", { groups: [groupId] });
    const { params, ...rest } = more(groupId);
    return { params: { [param]: _id, ...params }, ...rest };
  };

/** The first person's task of a job, claimed where `isClaimed`. */
const ofTask =
  (parts: (iteration: string) => Partial<RequestParts>, isClaimed = false): GoodRequest =>
  async (scene) => {
    const iteration = iterationOf(await scene.job(), "b");
    if (isClaimed) await scene.ask("POST", "/workflow_engine/tasks/claim", { task_id: iteration }, { isFree: true });
    return parts(iteration);
  };

const finishing = { finish_state: "success", variables: { a: 1 } };

const finish = (task: string): GoodRequest => inPathAnd("jobId", { taskId: task }, { taskData: finishing });

function inPathAnd(param: string, params: object, body?: unknown): GoodRequest {
  return async (scene, fitting) => {
    const job = await inPath(param, "running", body)(scene, fitting);
    return { ...job, params: { ...job.params, ...params } };
  };
}

const pages = Object.fromEntries(
  viewCases.flatMap((view): [string, GoodRequest][] => {
    const open = async (scene: FuzzScene) => {
      const job = await scene.job("running", {}, viewWorkflow(view.name));
      return { job: job._id, task: iterationOf(job, "ab") };
    };
    const application = view.app;
    const finisher = `finish${view.name.charAt(0).toUpperCase()}${view.name.slice(1)}`;
    return [
      [`${application}.${view.name}`, async (scene) => ({ query: await open(scene) })],
      [
        `${application}.${finisher}`,
        async (scene) => {
          const { job, task } = await open(scene);
          return { body: { job_id: job, task_id: task, finish_state: scene.random.pick(["success", "failure"]) } };
        },
      ],
    ];
  }),
);

const archive: GoodRequest = async (scene) => {
  const { reply } = await scene.ask("GET", "/workflow_engine/metrics/jobs");
  return { query: Object.fromEntries(new URL(String(reply), "http://localhost").searchParams) };
};

const largeText = "x".repeat(300_000);

const largeValue: GoodRequest = async (scene) => {
  const { _id } = await scene.job("running", { variables: { text: largeText } });
  const history = await scene.ask("GET", `/operations-manager/jobs/${_id}/history`);
  const id = /"large_data":"([^"]+)"/u.exec(JSON.stringify(history))?.[1];
  if (id === undefined) throw new SetUpRefused(`no large value in the history of ${_id}`);
  return { params: { id }, query: someOf(scene.random, { job: _id }) };
};

const event: GoodRequest = async (scene) => {
  const params = { source: "good", topic: scene.freshName() };
  await scene.ask("POST", `/operations-manager/events/good/${params.topic}`, { payload: { a: 1 } }, { isFree: true });
  return { params };
};

const jobFields = filterList("name", "_id", "status", "metrics.start_time");
const people = [colleague.username];

/** Jobs and their tasks, older family. */
const olderRequests: GoodRequests = {
  "WorkFlowEngine.startJobWithOptions": startWithOptions,
  "WorkFlowEngine.startJob": startRequest,
  "WorkFlowEngine.pauseJob": inBody("running"),
  "WorkFlowEngine.resumeJob": inBody("paused"),
  "WorkFlowEngine.cancelJob": inBody("running"),
  "WorkFlowEngine.fixJob": inBody("error", { errored_task: "e", revert_task: "a" }),
  "WorkFlowEngine.revertToTask": inBody("error", { current_task: "e", target_task: "a" }),
  "WorkFlowEngine.continueJob": inPath("jobId", "error", { fromTask: "c" }),
  "WorkFlowEngine.retryTask": inPath("jobId", "error", { task_id: "e", variables: { header: "again" } }),
  "WorkFlowEngine.getJob": inPath("job_id"),
  "WorkFlowEngine.getEntireJob": inPath("job_data"),
  "WorkFlowEngine.getJobShallow": inPath("job_data"),
  "WorkFlowEngine.getJobDetails": inPath("job_id"),
  "WorkFlowEngine.getJobOutput": inPath("job_id", "complete"),
  "WorkFlowEngine.getTaskStatuses": inPath("job_id"),
  "WorkFlowEngine.getJobVisualizationData": inPath("job_id"),
  "WorkFlowEngine.getJobHistory": inPath("job_id"),
  "WorkFlowEngine.addWatchers": inBody("running", { watchers: people }),
  "WorkFlowEngine.watchJob": inPath("job_id"),
  "WorkFlowEngine.unwatchJob": inPath("job_id"),
  "WorkFlowEngine.listJobGroups": inPath("id"),
  "WorkFlowEngine.createJobGroupEntry": ofGroup("id", (one) => ({ body: { group: one } })),
  "WorkFlowEngine.replaceJobGroups": ofGroup("id", (one) => ({ body: { groups: [one] } })),
  "WorkFlowEngine.deleteJobGroups": ofGroup("id", () => ({})),
  "WorkFlowEngine.removeJobGroup": ofGroup("id", (one) => ({ params: { group: one } })),
  "WorkFlowEngine.claimTask": ofTask((task_id) => ({ body: { task_id } })),
  "WorkFlowEngine.releaseTask": ofTask((task_id) => ({ body: { task_id } }), true),
  "WorkFlowEngine.finishManualTask": inBody("running", { task_id: "b", task_data: finishing }),
  "WorkFlowEngine.getManualTaskController": inPathAnd("jobId", { taskId: "b" }),
  "WorkFlowEngine.downloadMetricsLogs": archive,
};

/** The same, newer family. */
const newerRequests: GoodRequests = {
  "OperationsManager.startJob": startByBody,
  "OperationsManager.getJobs": jobFields,
  "OperationsManager.getJob": async (scene) => ({
    params: { id: (await scene.job())._id },
    query: someOf(scene.random, { wait: 0, include: "name,status", dereference: "watchers" }),
  }),
  "OperationsManager.pauseJobs": several("running"),
  "OperationsManager.resumeJobs": several("paused"),
  "OperationsManager.cancelJobs": several("running"),
  "OperationsManager.getJobHistory": inPath("id"),
  "OperationsManager.getJobAt": inPathAnd("id", { seq: 1 }),
  "OperationsManager.getLargeData": largeValue,
  "OperationsManager.deleteJob": inPath("jobId", "canceled"),
  "OperationsManager.deleteJobs": several("complete"),
  "OperationsManager.revertJob": inPath("jobId", "error", { fromTask: "e", toTask: "a" }),
  "OperationsManager.continueJob": inPath("jobId", "error", { fromTask: "c" }),
  "OperationsManager.retryTask": async (scene) => ({
    params: { jobId: (await scene.job("error"))._id, taskId: "e" },
    body: { variables: { header: "again" } },
  }),
  "OperationsManager.addWatchersToJob": inPath("jobId", "running", { watchers: people }),
  "OperationsManager.watchJob": inPath("jobId"),
  "OperationsManager.unwatchJob": inPath("jobId"),
  "OperationsManager.watchJobs": several("running"),
  "OperationsManager.unwatchJobs": several("running"),
  "OperationsManager.addJobGroup": ofGroup("jobId", (one) => ({ body: { group: one } })),
  "OperationsManager.replaceJobGroups": ofGroup("jobId", (one) => ({ body: { groups: [one] } })),
  "OperationsManager.deleteJobGroups": ofGroup("jobId", () => ({})),
  "OperationsManager.deleteJobGroup": ofGroup("jobId", (one) => ({ params: { groupId: one } })),
  "OperationsManager.getTasks": filterList("name", "_id", "status", "job.name"),
  "OperationsManager.getTask": ofTask((taskId) => ({ params: { taskId }, query: { include: "taskId,status" } })),
  "OperationsManager.claimTask": ofTask((taskId) => ({ params: { taskId } })),
  "OperationsManager.releaseTask": ofTask((taskId) => ({ params: { taskId } }), true),
  "OperationsManager.assignTask": ofTask((taskId) => ({ params: { taskId }, body: { username: "admin" } })),
  "OperationsManager.finishManualTask": finish("b"),
  "OperationsManager.getManualTaskController": inPathAnd("jobId", { taskId: "b" }),
  "OperationsManager.getEvent": event,
  "OperationsManager.publishEvent": ({ random }) => ({
    params: { source: "good", topic: random.pick(["a", "b/c"]) },
    query: someOf(random, { keepFor: 60 }),
    body: { payload: random.pick([null, 1, { a: [1] }, "text"]) },
  }),
  "OperationsManager.streamEvents": ({ random }) => ({ query: someOf(random, { topic: ["jobStart", "task"] }) }),
};

/** Jobs, what people do for them, and what is told of them. */
export const jobRequests: GoodRequests = { ...olderRequests, ...newerRequests, ...pages };
