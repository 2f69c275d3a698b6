import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { Store, Write } from "../../store/store.ts";
import { jobMetricCollection, metricId } from "./metric-documents.ts";
import type { MetricWrite } from "./metric-increments.ts";
import { MetricSums, readMetricSums, type MetricSum } from "./metric-sums.ts";

/** What became of the figures of workflows and days. */
export interface FiguresReport {
  /** Sums of a workflow and a day that were as the logs say. */
  unchanged: number;
  /** Sums that were not, and are put right unless it was a dry run. */
  different: number;
  /** Why the figures were left as they are. */
  skipped?: string;
}

/**
 * Compares figures with what all logs add up to. Figures are sums over jobs, so that they can only be
 * compared when every log was read and no job moved meanwhile.
 */
export class MetricRebuild {
  readonly #store: Store;
  readonly #expected = new MetricSums();
  #before: MetricSums | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** To be called before the first log is read. */
  async begin(): Promise<void> {
    this.#before = await readMetricSums(this.#store);
  }

  /** What the log of a job adds. */
  expect(writes: readonly MetricWrite[]): void {
    for (const { collection, document } of writes) this.#expected.add(collection, document);
  }

  /** To be called after the last log was read. */
  async finish(options: { dryRun: boolean; isWhole: boolean }): Promise<FiguresReport> {
    if (!this.#before || !options.isWhole) return skipped("not every log was read");
    // Their sums stay, and nothing is left to compare them with.
    if (await this.#store.read("retention", "removed")) return skipped("logs of deleted jobs are gone");
    const actual = await readMetricSums(this.#store);
    if (differencesOf(this.#before, actual).length > 0) return skipped("jobs ran meanwhile");
    const differences = differencesOf(this.#expected, actual);
    if (!options.dryRun) for (const sum of differences) await this.#store.commit(writesOf(sum));
    const known = new Set([...this.#expected.entries.keys(), ...actual.entries.keys()]);
    return { unchanged: known.size - differences.length, different: differences.length };
  }
}

function skipped(reason: string): FiguresReport {
  return { unchanged: 0, different: 0, skipped: reason };
}

/** What must be added to the second so that it says the same as the first. */
function differencesOf(wanted: MetricSums, actual: MetricSums): MetricSum[] {
  const keys = new Set([...wanted.entries.keys(), ...actual.entries.keys()]);
  return [...keys].flatMap((key) => {
    const [left, right] = [wanted.entries.get(key), actual.entries.get(key)];
    const either = left ?? right;
    const figures = difference(left?.figures ?? {}, right?.figures ?? {});
    return either && Object.keys(figures).length > 0 ? [{ ...either, figures }] : [];
  });
}

function difference(wanted: JsonObject, actual: JsonObject): JsonObject {
  const found: JsonObject = {};
  for (const name of new Set([...Object.keys(wanted), ...Object.keys(actual)])) {
    const [left, right] = [wanted[name] ?? 0, actual[name] ?? 0];
    if (typeof left === "number" && typeof right === "number") {
      if (left !== right) found[name] = left - right;
      continue;
    }
    const within = difference(isJsonObject(left) ? left : {}, isJsonObject(right) ? right : {});
    if (Object.keys(within).length > 0) found[name] = within;
  }
  return found;
}

const tasksPerDocument = 32;
const slot = "0";

/** Additions, so that nothing a node adds meanwhile is lost. */
function writesOf({ collection, day, workflow, figures }: MetricSum): Write[] {
  const addition = (document: object): Write => ({ kind: "add", collection, document });
  if (collection === jobMetricCollection) {
    return [addition({ _id: metricId(day, slot, workflow._id), workflow, day, ...figures })];
  }
  const tasks = Object.entries(figures);
  const parts = Array.from({ length: Math.ceil(tasks.length / tasksPerDocument) }, (_, part) =>
    Object.fromEntries(tasks.slice(part * tasksPerDocument, (part + 1) * tasksPerDocument)),
  );
  return parts.map((some, part) =>
    addition({ _id: metricId(day, slot, String(part), workflow._id), workflow, day, tasks: some }),
  );
}
