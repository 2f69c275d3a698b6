import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { badRequest } from "../core/errors.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import { selectFilterList } from "../core/list-query.ts";
import { operationOf, Reply, type Operation } from "../core/operation.ts";
import { readRoles, workRoles, writeRoles } from "../core/roles.ts";
import { FilterListQuery, IdParams, ListReply } from "../core/schemas.ts";
import { compileTransformation } from "./compile-transformation.ts";
import { TransformationOutline, TransformationRun } from "./transformation-outline.ts";
import type { TransformationsService } from "./transformations-service.ts";

/** What the operations work on. */
export interface TransformationsServices {
  transformations: TransformationsService;
}

const operation = operationOf<TransformationsServices>();

const Problems = Type.Array(Type.Object({ code: Type.String(), message: Type.String(), path: Type.String() }));
const Body = Type.Object(
  {},
  {
    additionalProperties: true,
    description: "The transformation document, bare or as the member `transformation`.",
  },
);

/** The document of a body that holds it bare or wrapped (decision 24), checked for its form. */
function documentOf(
  body: object,
  wrapper: "transformation" | "update",
  schema = TransformationOutline,
): JsonObject & { name: string } {
  const wrapped = (body as JsonObject)[wrapper];
  const isWrapped = isJsonObject(wrapped);
  const document = isWrapped ? wrapped : body;
  const problems = [...Value.Errors(schema, document)];
  const at = isWrapped ? `/body/${wrapper}` : "/body";
  if (problems.length > 0) {
    throw badRequest(
      "The document is not a transformation",
      problems.slice(0, 100).map(({ path, message }) => ({ path: `${at}${path}`, message })),
    );
  }
  return document as JsonObject & { name: string };
}

const Changes = Type.Object({ ...Type.Partial(TransformationOutline).properties }, { additionalProperties: true });

/** Operations of transformations: spec tasks-and-transformations.md B §1, client-calls.md §A.2. */
export const transformationsOperations: readonly Operation<TransformationsServices>[] = [
  operation({
    name: "searchTransformations",
    method: "GET",
    path: "/transformations",
    summary: "List transformations.",
    roles: readRoles,
    query: FilterListQuery,
    response: ListReply(Type.Object({}, { additionalProperties: true })),
    handle: ({ transformations }, { query }) => transformations.list(selectFilterList(query)),
  }),
  operation({
    name: "createTransformation",
    method: "POST",
    path: "/transformations",
    summary: "Store a new transformation under a name of its own.",
    roles: writeRoles,
    body: Body,
    response: TransformationOutline,
    handle: ({ transformations }, { body, caller }) =>
      transformations.create(documentOf(body, "transformation"), caller),
  }),
  operation({
    name: "importTransformation",
    method: "POST",
    path: "/transformations/import",
    summary: "Store the transformation of a file under its own id.",
    roles: writeRoles,
    body: Body,
    response: TransformationOutline,
    async handle({ transformations }, { body, caller }) {
      const [imported] = await transformations.importAll([documentOf(body, "transformation")], caller);
      return imported;
    },
  }),
  operation({
    name: "validateTransformation",
    method: "POST",
    path: "/transformations/validate",
    summary: "Check a transformation without storing it.",
    roles: readRoles,
    body: Body,
    response: Type.Object({ isValid: Type.Boolean(), errors: Problems, warnings: Problems }),
    handle(_services, { body }) {
      const { errors, warnings } = compileTransformation(documentOf(body, "transformation"));
      return { isValid: errors.length === 0, errors, warnings };
    },
  }),
  operation({
    name: "getTransformation",
    method: "GET",
    path: "/transformations/:id",
    summary: "Show a transformation, named by id or name.",
    roles: readRoles,
    params: IdParams,
    response: TransformationOutline,
    handle: ({ transformations }, { params }) => transformations.get(params.id),
  }),
  operation({
    name: "updateTransformation",
    method: "PUT",
    path: "/transformations/:id",
    summary: "Change members of a transformation.",
    roles: writeRoles,
    params: IdParams,
    body: Type.Object(
      {},
      { additionalProperties: true, description: "Members that change, bare or as the member `update`." },
    ),
    response: TransformationOutline,
    handle: ({ transformations }, { params, body, caller }) =>
      transformations.update(params.id, documentOf(body, "update", Changes as typeof TransformationOutline), caller),
  }),
  operation({
    name: "deleteTransformation",
    method: "DELETE",
    path: "/transformations/:id",
    summary: "Remove a transformation.",
    roles: writeRoles,
    params: IdParams,
    status: 204,
    response: Type.Null(),
    async handle({ transformations }, { params }) {
      await transformations.remove(params.id);
      return new Reply(undefined, { status: 204 });
    },
  }),
  operation({
    name: "runTransformation",
    method: "POST",
    path: "/transformations/:id",
    summary: "Run a transformation on given values.",
    roles: workRoles,
    params: IdParams,
    body: TransformationRun,
    isBodyOptional: true,
    response: Type.Unknown(),
    handle: ({ transformations }, { params, body }) => transformations.run(params.id, body ?? {}),
  }),
];
