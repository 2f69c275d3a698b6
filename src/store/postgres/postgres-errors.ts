import { PlatformError } from "../../core/errors.ts";
import type { Failure } from "../commits/commit-outcome.ts";
import type { Collections } from "../indexes.ts";
import { StoreUnavailableError } from "../store.ts";
import { indexName } from "./collection-tables.ts";

/** The server, or the way to it, is silent. */
export class NoAnswerError extends StoreUnavailableError {
  constructor() {
    super("The database does not answer");
  }
}

/** Classes of SQLSTATE that are the server's or the connection's condition, not the statement's: it passes by itself or by an operator's hand. */
const unavailableClasses = ["08", "53", "57P", "58", "XX", "25006", "55P03", "28", "3D"];
/** The statement met another one and was rolled back; it may simply be repeated. */
const repeatable = new Set(["40001", "40P01"]);
const queryCanceled = "57014";

/** PostgreSQL's code of an error, e.g. `23505`; undefined for errors of the connection. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  return code !== undefined && /^[0-9A-Z]{5}$/u.test(code) ? code : undefined;
}

/** Was the statement rolled back because of others, so that the same may succeed now? */
export function isRepeatable(error: unknown): boolean {
  return repeatable.has(sqlState(error) ?? "");
}

/** Was a document that the statement replaces changed since it was read? */
export function isOvertaken(error: unknown): boolean {
  return sqlState(error) === "LW001";
}

/** Did the statement reach a verdict of the server about its data, so that the connection can be used on? */
export function isVerdict(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && !unavailableClasses.some((prefix) => state.startsWith(prefix));
}

/** Names of unique indexes → collection and field, as DuplicateKeyError tells them. */
export type UniqueIndexes = ReadonlyMap<string, { collection: string; field: string }>;

/** The unique indexes of collections, their primary keys included. */
export function uniqueIndexes(collections: Collections): UniqueIndexes {
  return new Map(
    Object.entries(collections).flatMap(([collection, indexes]) => [
      [`${collection}_pkey`, { collection, field: "_id" }] as const,
      ...indexes.map(
        (index) => [indexName(collection, index), { collection, field: index.fields.join(", ") }] as const,
      ),
    ]),
  );
}

/** Data the server cannot take: too deep, or characters that an index cannot hold. */
const unreadable = new Set(["22P05", "22P02", "22021", "54000", "54001"]);

/** Why a commit was refused. */
export function failureOf(error: unknown, indexes: UniqueIndexes, firstJobId: string): Failure {
  const state = sqlState(error) ?? "";
  if (error instanceof NoAnswerError) return { failure: "unavailable", message: messageOf(error), isSilent: true };
  if (!isVerdict(error)) return { failure: "unavailable", message: messageOf(error) };
  if (state === "23505") return duplicateOf(error, indexes, firstJobId);
  if (isWithoutNumber(error)) return { failure: "sequence", jobId: jobIdIn(error) ?? firstJobId };
  if (isOvertaken(error)) return { failure: "version", collection: "its collection", id: "A document" };
  if (unreadable.has(state)) return { failure: "unreadable", collection: "the store" };
  return { failure: "unexpected", message: messageOf(error) };
}

function duplicateOf(error: unknown, indexes: UniqueIndexes, firstJobId: string): Failure {
  const constraint = error instanceof Error && "constraint" in error ? String(error.constraint) : "";
  if (constraint === "job_events_pkey") return { failure: "sequence", jobId: jobIdIn(error) ?? firstJobId };
  return { failure: "duplicate", ...(indexes.get(constraint) ?? { collection: constraint, field: "_id" }) };
}

/** Is it an event that follows none of its log? */
function isWithoutNumber(error: unknown): boolean {
  if (sqlState(error) !== "23502" || !(error instanceof Error)) return false;
  return "table" in error && error.table === "job_events" && "column" in error && error.column === "seq";
}

/** The job that the server names in its detail, which it leaves out where the role may not see it. */
function jobIdIn(error: unknown): string | undefined {
  const detail = error instanceof Error && "detail" in error ? String(error.detail) : "";
  const [, taken, withoutNumber] = /=\((.+), \d+\)|contains \(([^,]+), null/u.exec(detail) ?? [];
  return taken ?? withoutNumber;
}

/** The error of a read as callers of the store know it. */
export function asStoreError(error: unknown): unknown {
  if (error instanceof PlatformError || error instanceof StoreUnavailableError) return error;
  if (sqlState(error) === queryCanceled) return tooSlow();
  const isFinal = isVerdict(error) && !isRepeatable(error);
  return isFinal ? error : new StoreUnavailableError(`The store is not available: ${messageOf(error)}`);
}

/** A query that its deadline ended. */
export function tooSlow(): PlatformError {
  return new PlatformError("UNPROCESSABLE", "The query takes too long. Simplify it or narrow it by other fields.");
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
