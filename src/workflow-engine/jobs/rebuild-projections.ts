import { StoreUnavailableError, type Store } from "../../store/store.ts";
import { foldLog, rowKey, type FoldParts, type JobProjection } from "./fold-log.ts";
import { eventWaitCollection, type EventWaitRow } from "./event-waits.ts";
import { parseIterationId } from "./iteration-id.ts";
import { createMetricIncrements } from "./metric-increments.ts";
import {
  correctionsOf,
  isSame,
  isWritten,
  readRows,
  type RowDifference,
  type RowName,
  type StoredRow,
} from "./projection-rows.ts";
import { MetricRebuild, type FiguresReport } from "./rebuild-metrics.ts";
import { unlinkedRows } from "./unlinked-rows.ts";
import { createWorkflowSnapshots } from "./workflow-snapshots.ts";

export interface RebuildOptions {
  /** Compares only, and writes nothing. */
  dryRun?: boolean;
  /** Jobs that are looked at together, at most 1,000. Default 500. */
  batchSize?: number;
  /** Jobs up to this identifier are left out: goes on where a rebuild was broken off. */
  after?: string;
  /** Told after each batch, with the last job of it. */
  onProgress?: (progress: { jobs: number; after: string }) => void;
}

/** What a rebuild found, and did unless it was a dry run. */
export interface RebuildReport {
  /** Jobs with a log. */
  jobs: number;
  /** Rows that were missing or different. */
  written: number;
  /** Rows that no log leads to. */
  removed: number;
  /** Rows that were as their log says. */
  unchanged: number;
  /** The first 1,000 rows that were not. */
  different: RowDifference[];
  /** Jobs whose log cannot be read, with the reason. Their rows are left as they are. */
  unreadable: { job: string; reason: string }[];
  /** The figures of workflows, which are sums over all jobs. */
  figures: FiguresReport;
}

/**
 * Compares the read models of jobs (headers, open tasks and tasks that wait for events) with what their logs say, and puts them
 * right. May be broken off and begun again at any time. Nodes may work meanwhile: a row is only
 * written over the version that was compared, and a job that moves is looked at again. Figures of workflows
 * are compared as well when the run is whole and no job moves meanwhile.
 */
export async function rebuildProjections(store: Store, options: RebuildOptions = {}): Promise<RebuildReport> {
  const rebuild = new Rebuild(store, options);
  return rebuild.run();
}

const defaultBatch = 500;
const mostListed = 1_000;
/** Logs that are read at a time. */
const logsAtOnce = 8;
/** A job that moves more often than this while it is looked at has nodes that write its rows. */
const mostLooks = 5;

class Rebuild {
  readonly #store: Store;
  readonly #options: RebuildOptions;
  readonly #batchSize: number;
  readonly #foldParts: FoldParts;
  readonly #metrics: MetricRebuild;
  readonly #report: RebuildReport = {
    jobs: 0,
    written: 0,
    removed: 0,
    unchanged: 0,
    different: [],
    unreadable: [],
    figures: { unchanged: 0, different: 0 },
  };

  constructor(store: Store, options: RebuildOptions) {
    this.#store = store;
    this.#options = options;
    this.#batchSize = options.batchSize ?? defaultBatch;
    const snapshots = createWorkflowSnapshots(store, async () => []);
    const metricIncrements = createMetricIncrements("0");
    this.#foldParts = { findWorkflow: (hash) => snapshots.find(hash), metricIncrements };
    this.#metrics = new MetricRebuild(store);
  }

  async run(): Promise<RebuildReport> {
    await this.#metrics.begin();
    for (let after = this.#options.after ?? ""; ;) {
      const jobIds = await this.#store.jobIds(after, this.#batchSize);
      await this.#compareBatch(jobIds);
      after = jobIds.at(-1) ?? after;
      this.#options.onProgress?.({ jobs: this.#report.jobs, after });
      if (jobIds.length < this.#batchSize) break;
    }
    for await (const page of unlinkedRows(this.#store, this.#batchSize)) await this.#removeUnclaimed(page);
    const isWhole = this.#options.after === undefined && this.#report.unreadable.length === 0;
    this.#report.figures = await this.#metrics.finish({ dryRun: this.#options.dryRun ?? false, isWhole });
    return this.#report;
  }

  async #compareBatch(jobIds: readonly string[]): Promise<void> {
    const rows = await this.#rowsOf(jobIds);
    for (let at = 0; at < jobIds.length; at += logsAtOnce) {
      const some = jobIds.slice(at, at + logsAtOnce);
      await Promise.all(some.map((jobId) => this.#compareJob(jobId, rows.get(jobId) ?? new Map<string, Row>())));
    }
  }

  /** The rows of some jobs as they are, by job and key. */
  async #rowsOf(jobIds: readonly string[]): Promise<Map<string, Map<string, Row>>> {
    const $in = [...jobIds];
    const [headers, tasks, waits] = await Promise.all([
      this.#store.find<{ _id: string }>("jobs", { _id: { $in } }),
      this.#store.find<{ _id: string; job: { _id: string } }>("tasks", { "job._id": { $in } }),
      this.#store.find<EventWaitRow>(eventWaitCollection, { job: { $in } }),
    ]);
    const rows = new Map<string, Map<string, Row>>(jobIds.map((jobId) => [jobId, new Map()]));
    for (const document of headers) addRow(rows.get(document._id), "jobs", document);
    for (const document of waits) addRow(rows.get(document.job), eventWaitCollection, document);
    for (const document of tasks) addRow(rows.get(document.job._id), "tasks", document);
    return rows;
  }

  async #compareJob(jobId: string, rows: ReadonlyMap<string, Row>): Promise<void> {
    this.#report.jobs += 1;
    const projection = await this.#fold(jobId);
    if (!projection) return;
    this.#metrics.expect(projection.metrics);
    const expected = [...projection.rows];
    const isAsExpected = expected.every(([key, { document }]) => {
      const row = rows.get(key);
      return row !== undefined && isSame(row.document, document);
    });
    if (isAsExpected && rows.size === expected.length) this.#report.unchanged += expected.length;
    else await this.#settle(jobId, projection, rows.values());
  }

  /** Looks again at a job whose rows differed, so that rows and log are of the same moment, and puts the rows right. */
  async #settle(jobId: string, first: JobProjection, rows: Iterable<RowName>): Promise<void> {
    const names = new Map([...rows].map((row) => [rowKey(row.collection, row.id), row]));
    let projection: JobProjection | undefined = first;
    for (let look = 0; look < mostLooks && projection; look++) {
      const actual = await readRows(this.#store, new Map([...names, ...projection.rows]).values());
      const { snapshot, events } = await this.#store.readLog(jobId, projection.seq);
      if (!snapshot && events.length === 0) {
        if (await this.#correct(projection, await this.#ownRows(jobId, projection, actual))) return;
      }
      projection = await this.#fold(jobId);
    }
  }

  /** Rows that say they are of this job, but those that another job's log leads to. */
  async #ownRows(
    jobId: string,
    { rows }: JobProjection,
    actual: ReadonlyMap<string, StoredRow>,
  ): Promise<Map<string, StoredRow>> {
    const own = new Map<string, StoredRow>();
    for (const [key, row] of actual) {
      const isOwn = rows.has(key) || parseIterationId(row.id)?.jobId === jobId || !(await this.#isClaimed(row));
      if (isOwn) own.set(key, row);
    }
    return own;
  }

  /** False when somebody else wrote a row meanwhile. */
  async #correct({ rows }: JobProjection, actual: ReadonlyMap<string, StoredRow>): Promise<boolean> {
    const corrections = correctionsOf(rows, actual);
    if (!this.#options.dryRun && !(await isWritten(this.#store, corrections))) return false;
    const differences = corrections.map(({ difference }) => difference);
    this.#note(differences);
    this.#report.unchanged += rows.size - differences.filter(({ difference }) => difference !== "superfluous").length;
    return true;
  }

  async #removeUnclaimed(page: readonly RowName[]): Promise<void> {
    for (const row of page) {
      if (await this.#isClaimed(row)) continue;
      const { collection, id } = row;
      if (!this.#options.dryRun) await this.#store.commit([{ kind: "remove", collection, id }]);
      this.#note([{ collection, id, difference: "superfluous" }]);
    }
  }

  /** Does the log of the job that the row's own identifier names lead to it, whatever else it says? */
  async #isClaimed({ collection, id }: RowName): Promise<boolean> {
    const owner = collection === "jobs" ? id : parseIterationId(id)?.jobId;
    if (owner === undefined) return false;
    const log = await this.#store.wholeLog(owner);
    // Rows of a job whose log cannot be read are left as they are.
    return log.length > 0 && ((await this.#fold(owner))?.rows.has(rowKey(collection, id)) ?? true);
  }

  async #fold(jobId: string): Promise<JobProjection | undefined> {
    const log = await this.#store.wholeLog(jobId);
    try {
      return await foldLog(jobId, log, this.#foldParts);
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      const { unreadable } = this.#report;
      if (!unreadable.some(({ job }) => job === jobId))
        unreadable.push({ job: jobId, reason: error instanceof Error ? error.message : String(error) });
      return undefined;
    }
  }

  #note(differences: readonly RowDifference[]): void {
    const { different } = this.#report;
    for (const row of differences) {
      if (row.difference === "superfluous") this.#report.removed += 1;
      else this.#report.written += 1;
      if (different.length < mostListed) different.push(row);
    }
  }
}

interface Row extends RowName {
  document: object;
}

function addRow(rows: Map<string, Row> | undefined, collection: string, document: { _id: string }): void {
  const { _id: id } = document;
  rows?.set(rowKey(collection, id), { collection, id, document });
}
