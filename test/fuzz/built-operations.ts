import { applicationList } from "../../src/applications.ts";
import type { Application } from "../../src/core/application.ts";
import type { Operation } from "../../src/core/operation.ts";

/** An operation that is built, and its application. */
export interface BuiltOperation {
  application: Application;
  operation: Operation;
}

/** Every operation that has a handler, in the order of the reference. */
export function builtOperations(): BuiltOperation[] {
  return applicationList.flatMap((application) =>
    application.operations.flatMap((operation) =>
      operation.handle && !stopsWork(operation) ? [{ application, operation }] : [],
    ),
  );
}

/** Switching the workers off would leave nothing for the other requests to meet. */
function stopsWork({ path }: Operation): boolean {
  return path.endsWith("/deactivate");
}
