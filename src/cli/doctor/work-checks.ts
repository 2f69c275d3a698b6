import type { Store, WorkItem } from "../../store/index.ts";
import { ok, warning, type Finding } from "./finding.ts";

const overdueMs = 60_000;
const manyAttempts = 10;
const itemsPerPage = 1_000;
const mostNamed = 3;

/** Items of one sort: how many, and the first of them. */
interface Sample {
  count: number;
  first: readonly WorkItem[];
}

/** The work that waits, and what is wrong with it. */
export interface WorkSurvey {
  total: number;
  overdue: Sample;
  /** Failed again and again. */
  failing: Sample;
}

const none: Sample = { count: 0, first: [] };

/** Reads all work items, page by page. */
export async function surveyWork(store: Store, now: number): Promise<WorkSurvey> {
  const survey: WorkSurvey = { total: 0, overdue: none, failing: none };
  let after = "";
  for (;;) {
    const page = await store.workItems(after, itemsPerPage);
    survey.total += page.length;
    survey.overdue = addTo(survey.overdue, page, ({ runAt }) => runAt < now - overdueMs);
    survey.failing = addTo(survey.failing, page, ({ attempts = 0 }) => attempts >= manyAttempts);
    if (page.length < itemsPerPage) return survey;
    after = page.at(-1)?.id ?? after;
  }
}

function addTo({ count, first }: Sample, page: readonly WorkItem[], isWanted: (item: WorkItem) => boolean): Sample {
  const wanted = page.filter(isWanted);
  return { count: count + wanted.length, first: [...first, ...wanted].slice(0, mostNamed) };
}

/** Work that is due for more than a minute is stuck, or no node is there to do it. */
export function judgeWork({ total, overdue, failing }: WorkSurvey): Finding[] {
  if (overdue.count === 0 && failing.count === 0) return [ok("work", `${total} items wait, none is overdue`)];
  const findings: Finding[] = [];
  if (overdue.count > 0) {
    const message = `${overdue.count} of ${total} items are due for more than a minute: ${named(overdue)}`;
    findings.push(warning("work", message, "Start a node, activate its workers, or look into its log."));
  }
  if (failing.count > 0) {
    const message = `${failing.count} of ${total} items failed ${manyAttempts} times and more: ${named(failing)}`;
    findings.push(warning("work", message, "Look into the log of the nodes for the reason."));
  }
  return findings;
}

function named({ count, first }: Sample): string {
  const names = first.map(({ id, kind }) => `${kind} ${id}`);
  return `${names.join(", ")}${count > first.length ? ", …" : ""}`;
}
