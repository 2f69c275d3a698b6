import { isDeepStrictEqual } from "node:util";
import { readdir } from "node:fs/promises";
import { readArchive, type ArchivedJob } from "../../src/workflow-engine/index.ts";
import type { Findings } from "./findings.ts";
import type { ExpectedOutcomes } from "./checker.ts";
import type { Outcome } from "./outcome.ts";

/** What the archive of a run holds. */
export interface ArchiveAudit {
  /** Description → how many times the root job is there. */
  roots: ReadonlyMap<string, number>;
  jobs: number;
}

/** An outcome without values: those that are large are archived on their own. */
type Course = Pick<Outcome, "workflow" | "status" | "iterations"> & { children: Course[] };

/** Checks that every tree of an archive is there once and whole, with the course it has without faults. */
export async function auditArchive(
  folder: string,
  expected: ExpectedOutcomes,
  findings: Findings,
): Promise<ArchiveAudit> {
  const trees = await readTrees(folder, findings);
  const roots = new Map<string, number>();
  let jobs = 0;
  for (const [root, lines] of trees) {
    jobs += lines.length;
    const own = lines.find(({ _id }) => _id === root);
    if (!own) {
      findings.add("different", `the archive has jobs below ${root}, but not the job itself`);
      continue;
    }
    const { description, name } = shown(own);
    roots.set(description, (roots.get(description) ?? 0) + 1);
    checkCourse(own, lines, { wanted: expected.get(name), findings });
  }
  for (const draft of await drafts(folder)) findings.add("leftover", `draft of an archive file ${draft}`);
  return { roots, jobs };
}

async function readTrees(folder: string, findings: Findings): Promise<Map<string, ArchivedJob[]>> {
  const trees = new Map<string, ArchivedJob[]>();
  const seen = new Set<string>();
  for await (const line of readArchive(folder)) {
    if (line.kind !== "job") continue;
    if (seen.has(line._id)) findings.add("doubled", `job ${line._id} is in the archive twice`);
    seen.add(line._id);
    trees.set(line.root, [...(trees.get(line.root) ?? []), line]);
  }
  return trees;
}

interface Wanted {
  wanted: Outcome | undefined;
  findings: Findings;
}

function checkCourse(own: ArchivedJob, lines: readonly ArchivedJob[], { wanted, findings }: Wanted): void {
  const course = courseOf(own, lines);
  if (wanted && isDeepStrictEqual(course, courseOfOutcome(wanted))) return;
  findings.add("different", `${shown(own).description} ${own._id} in the archive: ${JSON.stringify(course)}`);
}

function courseOf(line: ArchivedJob, lines: readonly ArchivedJob[]): Course {
  const { name, status, tasks } = shown(line);
  const ran = Object.entries(tasks).map(([taskId, { iterations }]) => [taskId, iterations?.length ?? 0]);
  const children = lines.filter(({ job }) => (job["parent"] as { job?: string } | undefined)?.job === line._id);
  return {
    workflow: name,
    status,
    iterations: Object.fromEntries(ran) as Record<string, number>,
    children: inOrder(children.map((child) => courseOf(child, lines))),
  };
}

function courseOfOutcome({ workflow, status, iterations, children }: Outcome): Course {
  return { workflow, status, iterations, children: inOrder(children.map(courseOfOutcome)) };
}

/** Children run at once: their order says nothing. */
function inOrder(courses: Course[]): Course[] {
  return courses.toSorted((left, right) => JSON.stringify(left).localeCompare(JSON.stringify(right)));
}

interface ShownJob {
  name: string;
  description: string;
  status: string;
  tasks: Record<string, { iterations?: unknown[] }>;
}

function shown({ job }: ArchivedJob): ShownJob {
  return job as unknown as ShownJob;
}

async function drafts(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => !/^\d{4}-\d{2}-\d{2}(\/[\da-f]+\.jsonl\.gz)?$/u.test(name));
}
