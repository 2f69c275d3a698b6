import type { ErrorObject } from "ajv";
import type { ErrorDetail } from "../errors.ts";
import { describeError, describeTypes } from "./validation-messages.ts";

/**
 * Describes validation errors in plain words. Of a union only the option that the value comes
 * closest to is reported: the errors of all others would mislead.
 */
export function describeErrors(errors: readonly ErrorObject[]): ErrorDetail[] {
  const unions = errors.filter(isUnionError);
  const outermost = unions.filter((union) => !unions.some((other) => isWithin(union, other)));
  return errors.flatMap((error) => {
    if (outermost.some((union) => isWithin(error, union))) return [];
    return isUnionError(error) ? describeUnion(error, errors) : [describeError(error)];
  });
}

function isUnionError(error: ErrorObject): boolean {
  return error.keyword === "anyOf" || error.keyword === "oneOf";
}

function isWithin(error: ErrorObject, union: ErrorObject): boolean {
  return error.schemaPath.startsWith(`${union.schemaPath}/`) && error.instancePath.startsWith(union.instancePath);
}

function describeUnion(union: ErrorObject, errors: readonly ErrorObject[]): ErrorDetail[] {
  const options = [...groupByOption(union, errors).values()];
  const [closest] = options
    .filter((option) => !option.some(isOfType(union)))
    .toSorted((a, b) => distance(a) - distance(b));
  if (closest) return describeErrors(closest);
  const types = options.flat().flatMap((error) => (isOfType(union)(error) ? [String(error.params["type"])] : []));
  const message = types.length > 0 ? describeTypes([...new Set(types)]) : "fits none of its allowed forms, or several";
  return [{ path: union.instancePath, message }];
}

function groupByOption(union: ErrorObject, errors: readonly ErrorObject[]): Map<string, ErrorObject[]> {
  const options = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    if (!isWithin(error, union)) continue;
    const option = error.schemaPath.slice(union.schemaPath.length + 1).split("/", 1)[0] ?? "";
    const group = options.get(option);
    if (group) group.push(error);
    else options.set(option, [error]);
  }
  return options;
}

/** Is the error about the type of the union's own value? */
function isOfType(union: ErrorObject): (error: ErrorObject) => boolean {
  return (error) => error.keyword === "type" && error.instancePath === union.instancePath;
}

/** A wrong fixed value says "this option is not meant" more than any number of other errors. */
function distance(errors: readonly ErrorObject[]): number {
  return errors.reduce((sum, error) => sum + (error.keyword === "const" || error.keyword === "enum" ? 100 : 1), 0);
}
