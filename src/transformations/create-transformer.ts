import { compileTransformation } from "./compile-transformation.ts";
import type { CompiledTransformation } from "./compiled-transformation.ts";
import { runTransformation } from "./run-transformation.ts";
import type { TransformationEnvironment } from "./transformation-environment.ts";

/** Runs a document on incoming values and answers its outgoing values by `$id`; TaskError when it cannot. */
export type Transform = (
  document: object,
  incoming: Readonly<Record<string, unknown>>,
  options: unknown,
) => Record<string, unknown>;

/** A runner of documents that compiles each document object once, as long as the object lives. Documents must not be changed afterwards. */
export function createTransformer(environment: TransformationEnvironment): Transform {
  const known = new WeakMap<object, CompiledTransformation>();
  return (document, incoming, options) => {
    const compiled = known.get(document) ?? compileTransformation(document);
    known.set(document, compiled);
    return runTransformation(compiled, incoming, options, environment).outgoing;
  };
}
