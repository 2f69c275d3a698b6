import type { Namespace } from "../../document-storage/index.ts";
import { computeJobSchemas, type FindModel } from "../interpreter/job-schemas.ts";
import type { WorkflowProblems } from "../interpreter/validate-workflow.ts";
import type { WorkflowDocument } from "../workflow-schema.ts";
import { hasWorkflowShape } from "./workflow-outline.ts";

/** A workflow as it is stored. Members not listed here are kept as they came. */
export interface StoredWorkflow extends WorkflowDocument {
  /** UUID v4 (decision 9). */
  _id: string;
  encodingVersion: 1;
  namespace?: Namespace;
  created?: string;
  /** `_id` of the account, or what a file says of its author. */
  created_by?: unknown;
  last_updated?: string;
  last_updated_by?: unknown;
}

/** Members that saving adds and exporting drops (spec: workflow-engine.md §1.1; `access`: `withAccess`). */
const savedMembers: ReadonlySet<string> = new Set([
  "_id",
  "encodingVersion",
  "errors",
  "warnings",
  "namespace",
  "access",
]);

/** The document without what saving adds: what exports carry, and what saving begins with. */
function withoutSavedMembers(workflow: object): WorkflowDocument {
  const members = Object.entries(workflow).filter(([member]) => !savedMembers.has(member));
  return Object.fromEntries(members) as WorkflowDocument;
}

/** What a save adds to a document. */
export interface SavedMembers {
  _id: string;
  findModel: FindModel;
  namespace?: Namespace | undefined;
}

/** The stored form of a document; its problems follow once its surroundings are known. Schemas are computed only where absent. */
export function toStoredWorkflow(
  document: WorkflowDocument,
  { _id, findModel, namespace }: SavedMembers,
): StoredWorkflow {
  const clean = withoutSavedMembers(document);
  const isComplete = clean.inputSchema !== undefined && clean.outputSchema !== undefined;
  const computed = isComplete || !hasWorkflowShape(clean) ? {} : computeJobSchemas(clean, findModel);
  const absent = Object.entries(computed).filter(([member]) => clean[member as keyof WorkflowDocument] === undefined);
  return { _id, ...clean, ...Object.fromEntries(absent), encodingVersion: 1, ...(namespace ? { namespace } : {}) };
}

/** The stored form with the result of its validation. */
export function withProblems(workflow: StoredWorkflow, { errors, warnings }: WorkflowProblems): StoredWorkflow {
  return { ...workflow, errors, warnings };
}

/** An account as exports show it. */
export interface AccountSummary {
  provenance: string;
  username: string;
  firstname: string;
  inactive: boolean;
}

/** An account document, as far as exports show it. */
export type AccountDocument = { _id: string } & Partial<AccountSummary>;

/** The accounts that a stored workflow names by id. */
export function accountIdsOf({ created_by, last_updated_by }: StoredWorkflow): string[] {
  return [created_by, last_updated_by].filter((author): author is string => typeof author === "string");
}

/** The document as it travels between installations: nothing of this one but the names of accounts. */
export function toExportedWorkflow(workflow: StoredWorkflow, accounts: readonly AccountDocument[]): WorkflowDocument {
  const shown = ([member, value]: [string, unknown]): [string, unknown] => {
    const isAuthor = (member === "created_by" || member === "last_updated_by") && typeof value === "string";
    return [member, isAuthor ? summaryOf(accounts.find(({ _id }) => _id === value) ?? { _id: value }) : value];
  };
  return Object.fromEntries(Object.entries(withoutSavedMembers(workflow)).map(shown)) as WorkflowDocument;
}

// An account that is gone is shown by its id.
function summaryOf({
  _id,
  provenance = "Local AAA",
  username = _id,
  firstname = "",
  inactive = false,
}: AccountDocument): AccountSummary {
  return { provenance, username, firstname, inactive };
}
