import type { Application, HostedApplication } from "../core/application.ts";
import type { Operation } from "../core/operation.ts";
import type { ValidatorFactory } from "../core/validation/validator.ts";
import { createRequestReader, type RequestReader } from "./request-reader.ts";
import type { RouteDefinition } from "./router.ts";
import { createResponseWriter, type ResponseWriter } from "./success-response.ts";

/** An operation with everything that can be prepared before a request comes. */
export interface MountedOperation {
  application: Application;
  operation: Operation;
  services: unknown;
  read: RequestReader;
  write: ResponseWriter;
}

/** Routes of all operations, further spellings included. */
export function mountOperations(
  hosted: readonly HostedApplication[],
  validators: ValidatorFactory,
): RouteDefinition<MountedOperation>[] {
  return hosted.flatMap(({ application, services }) =>
    application.operations.flatMap((operation) => {
      const read = createRequestReader(operation, validators);
      const target = {
        application,
        operation,
        services,
        read,
        write: createResponseWriter(operation),
      };
      const spellings = [{ method: operation.method, path: operation.path }, ...(operation.aliases ?? [])];
      return spellings.map(({ method, path }) => ({ method, path, target }));
    }),
  );
}
