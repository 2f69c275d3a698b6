/** A pre-defined index of a collection. `fields` are dotted paths. */
export interface IndexDefinition {
  name: string;
  fields: readonly string[];
  isUnique?: boolean;
  /**
   * How many documents have which values of these fields is kept count of, each combination on its own: for
   * fields with few combinations, of collections with many documents.
   */
  counts?: readonly string[];
}

/** A table that counts the documents of a collection. */
export interface CountDefinition {
  table: string;
  fields: readonly string[];
}

/** The count tables of a collection. */
export function countsOf(collection: string, indexes: readonly IndexDefinition[]): CountDefinition[] {
  return indexes.flatMap(({ name, counts }) =>
    counts ? [{ table: `${collection}.${name} counts`, fields: counts }] : [],
  );
}

/** Collections with their indexes. */
export type Collections = Readonly<Record<string, readonly IndexDefinition[]>>;

/** Every collection of the platform with its pre-defined indexes. A collection exists only when it is listed here. */
export const collectionIndexes: Collections = {
  accounts: [{ name: "username", fields: ["username"], isUnique: true }],
  groups: [{ name: "name", fields: ["name"], isUnique: true }],
  roles: [{ name: "provenance_name", fields: ["provenance", "name"], isUnique: true }],
  sessions: [{ name: "accountId", fields: ["accountId"] }],
  /** Password and secret hashes, by account: apart from the accounts, so that no list or filter reaches them. */
  credentials: [],
  workflows: [
    { name: "name", fields: ["name"], isUnique: true },
    // Documents are large: who may see them is known without reading them.
    { name: "access", fields: ["access", "name"], counts: ["access"] },
  ],
  workflow_snapshots: [],
  /** Values over 256 kB of job logs, by content hash: logs refer to them. Of those too large for memory the pieces too. */
  large_values: [],
  transformations: [{ name: "name", fields: ["name"], isUnique: true }],
  templates: [{ name: "name", fields: ["name"] }],
  json_forms: [{ name: "name", fields: ["name"], isUnique: true }],
  mop_templates: [{ name: "name", fields: ["name"], isUnique: true }],
  mop_analytic_templates: [{ name: "name", fields: ["name"], isUnique: true }],
  projects: [{ name: "name", fields: ["name"], isUnique: true }],
  devices: [{ name: "name", fields: ["name"], isUnique: true }],
  host_keys: [],
  secrets: [],
  /** Processes that serve or served the platform, with their heartbeats. */
  nodes: [],
  /** Whether the workers of the engine are switched on, on all nodes. */
  worker_switches: [],
  /** Headers of jobs: what lists filter by. */
  jobs: [
    // Each with what else lists filter and sort by, so that documents need not be read for it.
    {
      name: "status",
      fields: ["status", "_id", "name", "access", "metrics.start_time"],
      counts: ["status", "name", "access"],
    },
    { name: "name", fields: ["name", "_id", "status", "access", "metrics.start_time"] },
    { name: "access", fields: ["access", "_id", "status", "name"] },
    // Who takes part in a job. Counted apart: together with the names there would be too many combinations.
    {
      name: "participants",
      fields: ["participants", "_id", "status", "access", "metrics.start_time"],
      counts: ["participants", "status", "access"],
    },
    { name: "start_time", fields: ["metrics.start_time", "_id", "status", "name", "access"] },
    { name: "parent", fields: ["parent.job"] },
    { name: "end_time", fields: ["metrics.end_time"] },
  ],
  /** `plan`: how far the removal of old jobs is; `removed`: there was a job whose log is gone. */
  retention: [],
  /** Figures of jobs and of tasks by day and workflow. Identifiers begin with the day. */
  job_metrics: [],
  task_metrics: [],
  /** Locks that tasks hold or wait for, by their names. */
  locks: [],
  /** Events that came from outside, and those of the engine that somebody waits for, while they are kept. */
  events: [
    { name: "topic", fields: ["source", "topic", "at"] },
    { name: "expiresAt", fields: ["expiresAt"] },
  ],
  /** Tasks that wait for events, each with the identifier of its iteration. */
  event_waits: [
    { name: "topic", fields: ["source", "topic", "_id"] },
    { name: "startedAt", fields: ["source", "topic", "startedAt"] },
    { name: "job", fields: ["job"] },
  ],
  /** Open tasks: manual, running, waiting, in error. */
  tasks: [
    { name: "job", fields: ["job._id"] },
    // Work lists ask whose tasks they are and which the caller may see; the last one is walked in order.
    { name: "owner", fields: ["metrics.owner"], counts: ["status", "type", "metrics.owner", "access"] },
    // Jobs are found by the names of their tasks, in the order of the jobs.
    { name: "name", fields: ["name", "_id", "status", "type", "metrics.owner", "access", "job._id"] },
    // Searches ask for the tasks of a workflow, and for the newest.
    { name: "workflow", fields: ["job.name", "_id", "status", "type", "access"] },
    { name: "start_time", fields: ["metrics.start_time", "_id", "status", "type", "metrics.owner", "access"] },
  ],
};
