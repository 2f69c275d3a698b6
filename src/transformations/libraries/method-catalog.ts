import { arrayCallbackMethods } from "./array-callbacks.ts";
import { arrayDeclarations, arrayMethods } from "./array-methods.ts";
import { dateMethods } from "./date-methods.ts";
import { dataMethods } from "./json-methods.ts";
import type { LibraryMethod } from "./library-method.ts";
import { mathMethods, numberMethods, primitiveDeclarations } from "./number-methods.ts";
import { objectMethods } from "./object-methods.ts";
import { conditionalMethods, equalityMethods, logicalMethods, relationalMethods } from "./operator-methods.ts";
import { regExpMethods } from "./regexp-methods.ts";
import { setMethods } from "./set-methods.ts";
import { stringMethods } from "./string-methods.ts";
import { stringPatternMethods } from "./string-patterns.ts";

/** Every method a transformation can use, by library (spec: tasks-and-transformations.md B §4). */
export const libraryMethods: readonly LibraryMethod[] = [
  ...arrayDeclarations,
  ...arrayMethods,
  ...arrayCallbackMethods,
  ...primitiveDeclarations,
  ...conditionalMethods,
  ...dateMethods,
  ...equalityMethods,
  ...dataMethods,
  ...logicalMethods,
  ...mathMethods,
  ...numberMethods,
  ...objectMethods,
  ...regExpMethods,
  ...relationalMethods,
  ...setMethods,
  ...stringMethods,
  ...stringPatternMethods,
];

const byName: ReadonlyMap<string, LibraryMethod> = new Map(
  libraryMethods.map((method) => [key(method.library, method.method, method.polymorphIndex), method]),
);

/** The method of that name, in the form that `polymorphIndex` selects. */
export function findMethod(library: string, method: string, polymorphIndex?: number): LibraryMethod | undefined {
  return byName.get(key(library, method, polymorphIndex)) ?? byName.get(key(library, method, undefined));
}

function key(library: string, method: string, polymorphIndex: number | undefined): string {
  return `${library}.${method}#${polymorphIndex ?? ""}`;
}
