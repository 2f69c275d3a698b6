import { addSearchPerson, type SearchPerson } from "../../support/search-people.ts";
import { iterationOf, readJob, viewData, type Enveloped, type ShownJob } from "../../support/manual-work.ts";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { twoPeople } from "../../support/repairs.ts";
import { workflowOf } from "../../support/workflow-builder.ts";
import type { JobStatus } from "../../../src/workflow-engine/interpreter/job-state.ts";
import type { Operation } from "../../../src/core/operation.ts";

/** Jobs of these are made by scenes. */
export const peopleWorkflow = "routes of two people";
export const diffWorkflow = "routes of a difference";
export const handlingWorkflow = "routes of a handling";

/** A job nobody has, a task iteration likewise. */
export const unknownJob = "0123456789abcdef01234567";
export const unknownName = "no such thing";

/** A platform and its people, for all cases. */
export interface Stage {
  platform: TestPlatform;
  /** Of the group that jobs are restricted to, with the roles `engineering`. */
  member: SearchPerson;
  /** With the same roles, of another group. */
  outsider: SearchPerson;
  /** What is needed for one case. */
  scene(): Scene;
  /** Credentials of somebody in the member's group whose roles do not allow the operation. */
  tokenWithoutRole(operation: Operation): string;
  close(): Promise<void>;
}

/** What one case makes. */
export interface Scene {
  platform: TestPlatform;
  member: SearchPerson;
  outsider: SearchPerson;
  /** A job of the member's group that the member started: `c` and `a` are done, people wait at `b` and `e`. */
  job(status?: JobStatus, workflow?: string, variables?: object): Promise<ShownJob>;
  /** The same, `b` claimed by the member. */
  claimed(): Promise<ShownJob>;
  /** Identifier of the iteration a task is in. */
  iteration(jobId: string, task: string): Promise<string>;
  /** A stored workflow of the member's group that nobody else uses; answers its document. */
  workflow(): Promise<{ _id: string; name: string }>;
  /** A name that nothing has. */
  freshName(): string;
  /** Identifier of the job or the workflow that it made last. */
  lastMade(): string;
  /** Jobs that it made, as the administrator sees them now. */
  jobs(): Promise<unknown[]>;
}

/** Builds the platform and its people. */
export async function openStage(): Promise<Stage> {
  const platform = await startTestPlatform();
  for (const workflow of workflows) await platform.importWorkflow(workflow);
  const member = await addSearchPerson(platform, "route-member", "engineering");
  const outsider = await addSearchPerson(platform, "route-outsider", "engineering");
  const byRole = new Map<string, string>([["engineering", member.token]]);
  for (const role of ["operator", "readonly", "none"])
    byRole.set(role, (await addSearchPerson(platform, `route-${role}`, role)).token);
  let made = 0;
  return {
    platform,
    member,
    outsider,
    scene: () => new PlatformScene(platform, { member, outsider }, () => `routes fresh ${++made}`),
    tokenWithoutRole({ roles }) {
      const role = [...byRole.keys()].find((name) => !(roles as readonly string[]).includes(name)) ?? "none";
      return byRole.get(role) ?? "";
    },
    close: () => platform.stop(),
  };
}

const workflows = [
  twoPeople(peopleWorkflow, viewData.incoming),
  workflowOf(
    diffWorkflow,
    {
      d: {
        ...viewData,
        name: "ViewDiff",
        view: "/workflow_engine/task/ViewDiff",
        incoming: {
          header: "h",
          message: "m",
          label1: "before",
          value1: "a",
          label2: "after",
          value2: "b",
          btn_success: "ok",
          btn_failure: "no",
        },
      },
    },
    ["start > d", "d > end", "d >failure> end"],
  ),
  workflowOf(
    handlingWorkflow,
    {
      d: {
        ...viewData,
        name: "ErrorHandling",
        view: "/workflow_engine/task/ErrorHandling",
        incoming: { severity: "warning", status: "s", retry: true },
      },
    },
    ["start > d", "d > end", "d >failure> end"],
  ),
];

class PlatformScene implements Scene {
  readonly platform: TestPlatform;
  readonly member: SearchPerson;
  readonly outsider: SearchPerson;
  readonly freshName: () => string;
  readonly #jobs: string[] = [];
  #lastMade = "";

  constructor(
    platform: TestPlatform,
    { member, outsider }: Pick<Scene, "member" | "outsider">,
    freshName: () => string,
  ) {
    this.platform = platform;
    this.member = member;
    this.outsider = outsider;
    this.freshName = freshName;
  }

  async job(status: JobStatus = "running", workflow = peopleWorkflow, variables = {}): Promise<ShownJob> {
    const options = { groups: [this.member.groupId], variables };
    const { _id } = (await this.#asMember<Enveloped<ShownJob>>("/operations-manager/jobs/start", { workflow, options }))
      .data;
    this.#jobs.push(_id);
    this.#lastMade = _id;
    const finish = (task: string, state = "success") =>
      this.#asMember(`/operations-manager/jobs/${_id}/tasks/${task}/finish`, { taskData: { finish_state: state } });
    const lead: Record<JobStatus, () => Promise<unknown>> = {
      running: async () => undefined,
      paused: () => this.#asMember("/workflow_engine/pauseJob", { job_id: _id }),
      error: () => finish("e", "error"),
      complete: () => finish("b").then(() => finish("e")),
      canceled: () => this.#asMember("/workflow_engine/cancelJob", { job_id: _id }),
    };
    await lead[status]();
    return readJob(this.platform, _id);
  }

  async claimed(): Promise<ShownJob> {
    const job = await this.job();
    await this.#asMember(`/operations-manager/tasks/${await this.iteration(job._id, "b")}/claim`, {});
    return job;
  }

  iteration(jobId: string, task: string): Promise<string> {
    return iterationOf(this.platform, jobId, task);
  }

  async workflow(): Promise<{ _id: string; name: string }> {
    const automation = { ...twoPeople(this.freshName()), groups: [this.member.groupId] };
    const { created } = await this.platform.send<{ created: { _id: string; name: string } }>(
      "POST",
      "/automation-studio/automations",
      { automation },
    );
    this.#lastMade = created._id;
    return created;
  }

  lastMade(): string {
    return this.#lastMade;
  }

  async jobs(): Promise<unknown[]> {
    return Promise.all(
      this.#jobs.map(async (jobId) => (await this.platform.request("GET", `/workflow_engine/getJob/${jobId}`)).body),
    );
  }

  async #asMember<T>(path: string, body: object): Promise<T> {
    const reply = await this.platform.request<T>("POST", path, body, this.member.token);
    if (reply.status >= 400) throw new Error(`${path} ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  }
}
