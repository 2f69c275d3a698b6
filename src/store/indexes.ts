/** A pre-defined index of a collection. `fields` are dotted paths. */
export interface IndexDefinition {
  name: string;
  fields: readonly string[];
  isUnique?: boolean;
  /** How many documents have which value of its first field is kept count of: for fields with few values, of collections with many documents. */
  isCounted?: boolean;
}

/** Name of the table that counts the documents of a collection by the values of its counted fields. */
export function countTableName(collection: string): string {
  return `${collection}.counts`;
}

/** The fields that documents of a collection are counted by, each combination of their values on its own. */
export function countedFields(indexes: readonly IndexDefinition[]): string[] {
  return [...new Set(indexes.filter(({ isCounted }) => isCounted).flatMap(({ fields }) => fields.slice(0, 1)))];
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
  workflows: [{ name: "name", fields: ["name"], isUnique: true }],
  workflow_snapshots: [],
  /** Values over 256 kB of job logs, by content hash: logs refer to them. */
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
    // Each with what else lists filter by, so that documents need not be read for it.
    { name: "status", fields: ["status", "_id", "name", "access"], isCounted: true },
    { name: "name", fields: ["name", "_id", "status", "access"], isCounted: true },
    { name: "access", fields: ["access", "_id", "status", "name"], isCounted: true },
    { name: "start_time", fields: ["metrics.start_time", "_id", "status", "name", "access"] },
    { name: "parent", fields: ["parent.job"] },
  ],
  /** Open tasks: manual, running, waiting, in error. */
  tasks: [
    { name: "job", fields: ["job._id"] },
    { name: "status", fields: ["status", "type"] },
  ],
};
