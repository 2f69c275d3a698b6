import type { Store } from "../../src/store/store.ts";
import { jobMetricCollection, type JobMetricDocument } from "../../src/workflow-engine/jobs/metric-documents.ts";
import { isDeletedByPerson } from "../simulation/cleaner.ts";
import { auditArchive } from "./audit-archive.ts";
import { checkLeftovers, checkSwept } from "./audit-leftovers.ts";
import type { CheckReport, ExpectedOutcomes } from "./checker.ts";
import { Findings } from "./findings.ts";
import { countedNames } from "./removal-shapes.ts";
import type { RunRecord } from "./run-record.ts";

/** What a run leaves behind in which every job was taken away. */
export interface RemovedRun {
  store: Store;
  /** Folder of the archive. */
  archive: string;
  expected: ExpectedOutcomes;
  record: RunRecord;
}

const mostShown = 100;

/** Checks that nothing is left of the jobs but their figures, and what is in the archive. */
export async function checkRemoval({ store, archive, expected, record }: RemovedRun): Promise<CheckReport> {
  const findings = new Findings();
  await checkLeftovers(store, findings);
  await checkSwept(store, findings);
  await checkNothingLeft(store, findings);
  const { roots, jobs } = await auditArchive(archive, expected, findings);
  for (const [description] of record.acknowledged) {
    const isMissing = !isDeletedByPerson(description) && !roots.has(description);
    if (isMissing) findings.add("lost", `${description} is not in the archive`);
  }
  for (const [description, count] of roots) {
    if (count > 1) findings.add("doubled", `${description} is in the archive as ${count} jobs`);
    if (!record.asked.has(description)) findings.add("doubled", `${description} was never asked for`);
  }
  await checkFigures(store, record, findings);
  const unanswered = [...record.asked.keys()].filter((description) => !record.acknowledged.has(description));
  return {
    jobs: roots.size,
    childJobs: jobs - roots.size,
    events: 0,
    acknowledged: record.acknowledged.size,
    unanswered: unanswered.length,
    unansweredButThere: unanswered.filter((description) => roots.has(description)).length,
    effects: 0,
    repeatedEffects: 0,
    lateEffects: 0,
    faults: findings.faults,
    examples: findings.examples,
  };
}

async function checkNothingLeft(store: Store, findings: Findings): Promise<void> {
  for (const collection of ["jobs", "large_values"]) {
    const rows = await store.find<{ _id: string }>(collection, {}, { limit: mostShown, fields: { _id: 1 } });
    for (const { _id } of rows) findings.add("leftover", `${_id} in ${collection}`);
  }
  for (const jobId of await store.jobIds("", mostShown)) findings.add("leftover", `the log of job ${jobId}`);
  const plan = await store.read<{ _id: string; batch?: unknown }>("retention", "plan");
  if (plan?.document.batch !== undefined) findings.add("stuck", "a batch of old jobs is not done");
}

/** Figures outlive the jobs: of each workflow as many have completed as were started. */
async function checkFigures(store: Store, { asked, acknowledged }: RunRecord, findings: Findings): Promise<void> {
  const completed = new Map<string, number>();
  for (const { workflow, jobsComplete = 0 } of await store.find<JobMetricDocument>(jobMetricCollection, {}, {}))
    completed.set(workflow.name, (completed.get(workflow.name) ?? 0) + jobsComplete);
  for (const name of countedNames) {
    const count = completed.get(name) ?? 0;
    const started = [...asked].filter(([, workflow]) => workflow === name).map(([description]) => description);
    const least = started.filter((description) => acknowledged.has(description)).length;
    if (count < least) findings.add("lost", `${count} jobs of ${name} are counted, ${least} were started`);
    if (count > started.length)
      findings.add("doubled", `${count} jobs of ${name} are counted, ${started.length} asked`);
  }
}
