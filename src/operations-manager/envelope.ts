import { Type, type TSchema } from "@sinclair/typebox";
import type { ListSelection } from "../core/list-query.ts";

/** The reply of this application: what happened, the thing itself, and the page it is on (workflow-engine.md §9.1). */
export const Envelope = (data: TSchema) =>
  Type.Object({ message: Type.String(), data, metadata: Type.Object({}, { additionalProperties: true }) });

/** A reply of this form. */
export function envelope(message: string, data: unknown, metadata: object = {}) {
  return { message, data, metadata };
}

/** The same as JSON text, around data that is text already. */
export function envelopeText(message: string, data: string): string {
  return `{"message":${JSON.stringify(message)},"data":${data},"metadata":{}}`;
}

/** The reply to a change of jobs, or to the question what it would do. */
export function changeEnvelope(change: string, data: unknown, { dryRun = false }: { dryRun?: boolean | undefined }) {
  return envelope(
    dryRun ? `Nothing was changed: this is what ${change} would do` : `Successfully applied ${change}`,
    data,
  );
}

/** The reply of a list. */
export function pageEnvelope(selection: ListSelection, { results, total }: { results: object[]; total: number }) {
  const { skip, limit } = selection;
  const next = skip + results.length;
  return envelope("Successfully retrieved items", results, {
    skip,
    limit,
    total,
    nextPageSkip: next < total ? next : null,
    previousPageSkip: skip > 0 ? Math.max(0, skip - limit) : null,
    currentPageSize: results.length,
    hints: [],
  });
}
