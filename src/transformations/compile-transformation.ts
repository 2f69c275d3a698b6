import { isJsonObject } from "../core/json.ts";
import { planBody } from "./compile-body.ts";
import { collectBodies } from "./compile-functions.ts";
import { readBody, type ProblemLists } from "./compile-reading.ts";
import type { CompiledTransformation } from "./compiled-transformation.ts";

/**
 * Reads a transformation document once, so that it can be run many times. Never throws: what cannot run is
 * told in `errors`, and fails a run only when the run needs that place, because published documents have
 * unfinished functions and dangling steps that are never reached.
 */
export function compileTransformation(document: unknown): CompiledTransformation {
  const problems: ProblemLists = { errors: [], warnings: [] };
  const body = readBody(document, "", problems);
  const name = isJsonObject(document) && typeof document["name"] === "string" ? document["name"] : "";
  if (!body) return { name, ...problems };
  const bodies = collectBodies(body, problems);
  for (const unplanned of bodies) planBody(unplanned, problems);
  const plan = bodies[0]?.plan;
  return { name, ...(plan && { plan }), ...problems };
}
