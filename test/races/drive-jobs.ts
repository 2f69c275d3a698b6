import { shownJob } from "./judge-reply.ts";
import { isEnded, type SeenJob } from "./known-jobs.ts";
import { send, sendAndNote, type Race } from "./race-clients.ts";
import type { RaceClient } from "./race-nodes.ts";
import type { RacedOperation } from "./race-operations.ts";
import { racedEvent } from "./race-shapes.ts";

/** What is left after so many rounds is canceled. */
const patientRounds = 15;
const mostRounds = 60;
const pauseMs = 60;

/** An administrator who brings jobs to their ends. Jobs go on meanwhile: what is refused because of that is refused. */
interface Driver {
  read(path: string): Promise<unknown>;
  post(operation: RacedOperation, path: string, body: unknown, jobId?: string): Promise<void>;
}

/** Brings every job to its end: resumes, retries, finishes what waits for people, and cancels what leads nowhere. Answers how many rounds it took. */
export async function driveToEnd(race: Race): Promise<number> {
  const driver = driverOf(race);
  for (let round = 1; round <= mostRounds; round++) {
    const open = await openJobs(driver);
    if (open.length === 0) return round;
    const { source, topic } = racedEvent;
    await driver.post("publish", `/operations-manager/events/${source}/${topic}`, { payload: {} });
    for (const jobId of open) await push(driver, jobId, round > patientRounds);
    await new Promise((resolve) => void setTimeout(resolve, pauseMs));
  }
  race.record.complain(`jobs that cannot be ended: ${(await openJobs(driver)).join(" ")}`);
  return mostRounds;
}

function driverOf(race: Race): Driver {
  const admin: RaceClient | undefined = race.nodes.clients.find(({ isAdmin }) => isAdmin);
  if (!admin) throw new Error("there is no administrator among the clients");
  return {
    read: async (path) => (await send(admin, { method: "GET", path })).body,
    async post(operation, path, body, jobId) {
      await sendAndNote(race, admin, {
        operation,
        method: "POST",
        path,
        body,
        ...(jobId === undefined ? {} : { jobId }),
      });
    },
  };
}

async function openJobs({ read }: Driver): Promise<string[]> {
  const path = "/operations-manager/jobs?not-in[status]=complete,canceled&limit=1000&include=_id";
  const { data } = (await read(path)) as { data: { _id: string }[] };
  return data.map(({ _id }) => _id);
}

type DrivenJob = SeenJob & { tasks: Record<string, { name?: string }> };

/** In error, and no task of it is. */
function isStuck({ status, tasks }: SeenJob): boolean {
  return status === "error" && !Object.values(tasks).some((task) => task.status === "error");
}

async function push({ read, post }: Driver, jobId: string, isLate: boolean): Promise<void> {
  const job = shownJob(await read(`/operations-manager/jobs/${jobId}`)) as DrivenJob | undefined;
  if (!job || isEnded(job)) return;
  const jobIds = [jobId];
  if (isLate || isStuck(job)) return post("cancel", "/operations-manager/jobs/cancel", { jobIds, force: true }, jobId);
  if (job.status === "paused") await post("resume", "/operations-manager/jobs/resume", { jobIds }, jobId);
  for (const [taskId, { name, type, status }] of Object.entries(job.tasks)) {
    const path = `/operations-manager/jobs/${jobId}/tasks/${taskId}`;
    // A task that fails by its values gets better ones.
    const better = name === "stub" ? { variables: { type: "success" } } : {};
    if (status === "error") await post("retry", `${path}/retry`, better, jobId);
    else if (type === "manual" && status === "running") await post("finishManualTask", `${path}/finish`, {}, jobId);
  }
}
