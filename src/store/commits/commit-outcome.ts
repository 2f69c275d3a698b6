import { PlatformError } from "../../core/errors.ts";
import { DuplicateKeyError, SequenceConflictError, StoreUnavailableError, VersionConflictError } from "../store.ts";

/** Why a commit was not written: plain data, so that it travels between threads. */
export type Failure =
  | { failure: "duplicate"; collection: string; field: string }
  | { failure: "version"; collection: string; id: string }
  | { failure: "sequence"; jobId: string }
  | { failure: "unreadable"; collection: string }
  | { failure: "unavailable"; message: string; isSilent?: true }
  | { failure: "unexpected"; message: string };

/** What became of one commit; `unchanged` are the positions of writes that had nothing to do. */
export type Outcome = { unchanged: readonly number[] } | Failure;

/** Did the store not answer in time? Who waits for it already shall not wait as long once more for the same. */
export function isSilent(outcome: Outcome): boolean {
  return "failure" in outcome && outcome.failure === "unavailable" && outcome.isSilent === true;
}

/** The error a caller of the store gets for a failure. */
export function failureError(failure: Failure): Error {
  switch (failure.failure) {
    case "duplicate":
      return new DuplicateKeyError(failure.collection, failure.field);
    case "version":
      return new VersionConflictError(`${failure.id} in ${failure.collection} was changed since it was read`);
    case "sequence":
      return new SequenceConflictError(failure.jobId);
    case "unreadable":
      return new PlatformError(
        "UNPROCESSABLE",
        `The document for ${failure.collection} is nested too deeply to be stored`,
      );
    case "unavailable":
      return new StoreUnavailableError(`The store is not available: ${failure.message}`);
    case "unexpected":
      return new Error(failure.message);
  }
}
