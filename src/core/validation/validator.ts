import type { TSchema } from "@sinclair/typebox";
import { Ajv2019, type AnySchemaObject, type Options, type ValidateFunction } from "ajv/dist/2019.js";
import addFormats from "ajv-formats";
import { PlatformError, type ErrorDetail } from "../errors.ts";
import { describeErrors } from "./union-errors.ts";

/** Finds everything that does not match the schema; empty when all is well. `size` is that of the raw parts in bytes. */
export type PartsCheck = (parts: unknown, size: number) => ErrorDetail[];

/** Makes checks of the named parts of a request. */
export interface ValidatorFactory {
  /** For what arrives as text (`/params`, `/query`): values are converted to their types, defaults put in. */
  forText(parts: Readonly<Record<string, TSchema | AnySchemaObject>>): PartsCheck;
  /** For JSON: nothing is converted. */
  forJson(parts: Readonly<Record<string, TSchema | AnySchemaObject>>): PartsCheck;
}

/** Beyond this size only the first error is looked for: a hostile body could have millions. */
const largestFullCheck = 256 * 1024;
const mostErrors = 1000;
const detailsInMessage = 5;

/**
 * Makes checks. A schema is compiled when it is first needed: compiling all of them takes half a
 * second, which a server that starts does not have.
 */
export function createValidatorFactory(): ValidatorFactory {
  const asText: Options = { coerceTypes: "array", useDefaults: true };
  return { forText: createCompiler(asText), forJson: createCompiler({}) };
}

function createCompiler(options: Options): ValidatorFactory["forJson"] {
  const first = createAjv(options);
  const all = createAjv({ ...options, allErrors: true });
  return (parts) => {
    // The parts are validated as members of one object, so that error paths begin with their names.
    const schema: AnySchemaObject = { type: "object", properties: parts };
    let isValid: ValidateFunction | undefined;
    let findAll: ValidateFunction | undefined;
    return (part, size) => {
      isValid ??= first.compile(schema);
      if (isValid(part)) return [];
      if (size > largestFullCheck) return describeErrors(isValid.errors ?? []);
      findAll ??= all.compile(schema);
      findAll(part);
      return describeErrors((findAll.errors ?? []).slice(0, mostErrors));
    };
  };
}

function createAjv(options: Options): Ajv2019 {
  const ajv = new Ajv2019({ strict: false, validateFormats: true, logger: false, ...options });
  addFormats.default(ajv);
  return ajv;
}

/** 400 that names what is wrong in its message too: some applications answer the message alone. */
export function invalidRequest(details: readonly ErrorDetail[]): PlatformError {
  const named = details.slice(0, detailsInMessage).map(({ path, message }) => `${path} ${message}`);
  const more = details.length > detailsInMessage ? `; and ${details.length - detailsInMessage} more` : "";
  return new PlatformError("BAD_REQUEST", `Invalid request: ${named.join("; ")}${more}.`, details);
}
