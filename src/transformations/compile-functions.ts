import { isJsonObject, type JsonObject } from "../core/json.ts";
import { readBody, type ProblemLists, type TransformationBody } from "./compile-reading.ts";
import type { FunctionPlan } from "./compiled-transformation.ts";

const deepestFunctions = 20;

/** Functions that steps can call, by id, the innermost list first (spec: tasks-and-transformations.md B §3.7). */
export type Scope = readonly ReadonlyMap<string, FunctionPlan>[];

/** A document or function whose steps are still to be planned. */
export interface UnplannedBody {
  body: TransformationBody;
  path: string;
  plan: FunctionPlan;
  scope: Scope;
}

/**
 * Finds every function of a document, with an empty plan for each: functions may call each other, so that
 * all plans have to exist before the first is filled. The document itself comes first.
 */
export function collectBodies(document: TransformationBody, problems: ProblemLists): UnplannedBody[] {
  const found: UnplannedBody[] = [];
  const visit = (body: TransformationBody, plan: FunctionPlan, at: { path: string; outer: Scope }): void => {
    const definitions = readDefinitions(body.functions, `${at.path}/functions`, problems);
    // Of several functions with one id the first is called.
    const known = new Map(definitions.toReversed().map(({ id, plan }) => [id, plan]));
    const scope: Scope = [known, ...at.outer];
    found.push({ body, path: at.path, plan, scope });
    for (const definition of definitions) {
      const { path } = definition;
      if (scope.length <= deepestFunctions) visit(definition.body, definition.plan, { path, outer: scope });
      else problems.errors.push({ code: "FUNCTIONS_TOO_DEEP", message: tooDeep, path });
    }
  };
  visit(document, emptyPlan(""), { path: "", outer: [] });
  return found;
}

const tooDeep = `Functions are nested more than ${deepestFunctions} deep`;

function emptyPlan(name: string): FunctionPlan {
  return { name, incoming: [], outgoing: [], steps: [], order: [] };
}

/** The plan of the function with that id, in the innermost list that has it. */
export function findFunction(id: string, scope: Scope): FunctionPlan | undefined {
  return scope.find((functions) => functions.has(id))?.get(id);
}

interface Definition {
  id: string;
  body: TransformationBody;
  path: string;
  plan: FunctionPlan;
}

function readDefinitions(functions: unknown, path: string, problems: ProblemLists): Definition[] {
  if (functions === undefined) {
    const message = "There is no list of functions; it is taken as empty";
    problems.warnings.push({ code: "NO_FUNCTIONS_LIST", message, path });
    return [];
  }
  if (!Array.isArray(functions)) {
    problems.errors.push({ code: "INVALID_DOCUMENT", message: "functions must be a list", path });
    return [];
  }
  const names = createNameCheck(problems);
  return functions.flatMap((definition: unknown, index) => {
    const at = `${path}/${index}`;
    const body = readBody(definition, at, problems);
    if (!body || !isJsonObject(definition)) return [];
    const { id, name } = names.read(definition, at);
    return { id, body, path: at, plan: emptyPlan(name) };
  });
}

/** Reads ids and names of one list of functions, and reports those that are missing or occur again. */
function createNameCheck(problems: ProblemLists) {
  const ids = new Set<string>();
  const names = new Set<string>();
  function report(id: string, name: string, path: string): void {
    const isKnown = ids.has(id);
    if (!isKnown && !names.has(name)) return;
    const what = isKnown ? `id ${id}; the first one is used` : `name ${name}`;
    problems.errors.push({ code: "DUPLICATE_FUNCTION", message: `Another function has the ${what}`, path });
  }
  return {
    read(definition: JsonObject, path: string): { id: string; name: string } {
      const id = textOr(definition["id"], "");
      const name = textOr(definition["name"], "");
      if (name.trim() === "") {
        problems.errors.push({ code: "MISSING_FUNCTION_NAME", message: "The function has no name", path });
      } else {
        report(id, name, path);
      }
      ids.add(id);
      names.add(name);
      return { id, name: name === "" ? id : name };
    },
  };
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : otherwise;
}
