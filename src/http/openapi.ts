import type { TSchema } from "@sinclair/typebox";
import type { Application } from "../core/application.ts";
import { errorStatuses, type ErrorCode } from "../core/errors.ts";
import type { Operation } from "../core/operation.ts";
import { ErrorBody } from "../core/schemas.ts";
import { strictSchema } from "./strict-schema.ts";

/** An OpenAPI document or a part of it. */
type OpenApiObject = Record<string, unknown>;

/**
 * The OpenAPI 3.1 document of the applications' operations, in the order of the applications and
 * paths. Each operation says its application, its roles, and whether it is built yet.
 */
export function createOpenApiDocument(applications: readonly Application[], version: string): OpenApiObject {
  return {
    openapi: "3.1.0",
    info: {
      title: "Linewright",
      version,
      summary: "Network automation: durable workflows against devices, orchestrators and IT systems.",
      description: "Every body may be sent as a form (application/x-www-form-urlencoded) too.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ cookie: [] }, { bearer: [] }, { basic: [] }, { query: [] }],
    tags: applications.map(({ name, summary }) => ({ name, description: summary })),
    paths: createPaths(applications),
    components: {
      schemas: { Error: plain(ErrorBody) },
      responses: errorResponses(),
      securitySchemes: {
        cookie: {
          type: "apiKey",
          in: "cookie",
          name: "token",
          description: "Session that signing in answers.",
        },
        bearer: { type: "http", scheme: "bearer", description: "Session token or access token." },
        basic: { type: "http", scheme: "basic" },
        query: {
          type: "apiKey",
          in: "query",
          name: "token",
          description: "Session token; can be switched off.",
        },
      },
    },
  };
}

function createPaths(applications: readonly Application[]): OpenApiObject {
  const paths = new Map<string, OpenApiObject>();
  for (const application of applications) {
    for (const operation of application.operations) {
      const path = operation.path.replaceAll(/:(\w+)/gu, "{$1}").replace(/\*$/u, "{rest}");
      const item = paths.get(path) ?? {};
      item[operation.method.toLowerCase()] = describeOperation(application, operation);
      paths.set(path, item);
    }
  }
  return Object.fromEntries([...paths].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function describeOperation(application: Application, operation: Operation): OpenApiObject {
  const { aliases, description, deprecated, roles } = operation;
  const parameters = [...pathParameters(operation), ...queryParameters(operation)];
  return {
    operationId: `${application.id}.${operation.name}`,
    tags: [application.name],
    summary: operation.summary,
    ...(description !== undefined && { description }),
    ...(deprecated === true && { deprecated }),
    ...(roles === "public" && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && { requestBody: requestBody(operation, operation.body) }),
    responses: {
      [operation.status ?? 200]: successResponse(operation),
      ...errorReferences(operation),
    },
    "x-application": application.id,
    "x-roles": roles,
    ...(aliases && { "x-aliases": aliases.map(({ method, path }) => `${method} ${path}`) }),
    ...(!operation.handle && { "x-not-built": true }),
  };
}

function pathParameters({ path, params }: Operation): OpenApiObject[] {
  const names = path
    .split("/")
    .flatMap((segment) => (segment === "*" ? ["*"] : segment.startsWith(":") ? [segment.slice(1)] : []));
  return names.map((name) => ({
    name: name === "*" ? "rest" : name,
    in: "path",
    required: true,
    schema: plain(params?.properties[name] ?? { type: "string" }),
  }));
}

function queryParameters({ query }: Operation): OpenApiObject[] {
  const required = new Set(query?.required ?? []);
  return Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    ...(required.has(name) && { required: true }),
    ...(schema.description !== undefined && { description: schema.description }),
    schema: plain(schema),
  }));
}

function requestBody(operation: Operation, schema: TSchema): OpenApiObject {
  return {
    required: operation.isBodyOptional !== true,
    content: { "application/json": { schema: plain(strictSchema(schema)) } },
  };
}

function successResponse({
  response,
  responseType = "application/json",
  documentedAs,
  status,
}: Operation): OpenApiObject {
  const itself = documentedAs === undefined ? "" : ` It carries itself as \`${documentedAs}\` too.`;
  if (status === 204) return { description: "Done." };
  return {
    description: `The result.${itself}`,
    content: { [responseType]: { schema: plain(response) } },
  };
}

const errorCodes = Object.keys(errorStatuses) as ErrorCode[];

/** Errors an operation may answer, beside 503 and 500 that any may. */
function errorReferences(operation: Operation): OpenApiObject {
  const codes: ErrorCode[] = ["BAD_REQUEST"];
  if (operation.roles !== "public") codes.push("UNAUTHENTICATED");
  codes.push("FORBIDDEN");
  if (operation.path.includes(":")) codes.push("NOT_FOUND");
  if (operation.method !== "GET") codes.push("CONFLICT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE");
  codes.push("INTERNAL_ERROR", operation.handle ? "UNAVAILABLE" : "NOT_IMPLEMENTED");
  return Object.fromEntries(codes.map((code) => [errorStatuses[code], { $ref: `#/components/responses/${code}` }]));
}

function errorResponses(): OpenApiObject {
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
  return Object.fromEntries(
    errorCodes.map((code) => [code, { description: code.toLowerCase().replaceAll("_", " "), content }]),
  );
}

/** The schema as plain JSON: without the marks the schema library keeps under symbols. */
function plain(schema: object): unknown {
  return JSON.parse(JSON.stringify(schema));
}
