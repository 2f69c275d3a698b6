import { Type } from "@sinclair/typebox";
import { describe, expect, test } from "vitest";
import type { Application } from "../../../src/core/application.ts";
import { planned, withAliases } from "../../../src/core/planned-operation.ts";
import { createOpenApiDocument } from "../../../src/http/openapi.ts";

const application: Application = {
  id: "Sample",
  name: "Sample",
  summary: "Samples.",
  operations: [
    withAliases(planned("getThing", "GET /things/:id", "One thing.", ["admin", "apiread"]), "GET /thing/:id"),
    {
      name: "createThing",
      method: "POST",
      path: "/things",
      summary: "New thing.",
      roles: "public",
      query: Type.Object({ dry: Type.Optional(Type.Boolean({ description: "Only try." })), mode: Type.String() }),
      body: Type.Object({ name: Type.String() }),
      status: 201,
      response: Type.Object({ id: Type.String() }),
      documentedAs: "result",
      handle: () => undefined,
    },
  ],
};

describe("OpenAPI document", () => {
  const document = JSON.parse(JSON.stringify(createOpenApiDocument([application], "1.2.3")));

  test("says what may be called, by whom, and what is not built yet", () => {
    expect(document).toMatchObject({ openapi: "3.1.0", info: { version: "1.2.3" } });
    expect(document.paths["/things/{id}"].get).toMatchObject({
      operationId: "Sample.getThing",
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      "x-application": "Sample",
      "x-roles": ["admin", "apiread"],
      "x-aliases": ["GET /thing/:id"],
      "x-not-built": true,
    });
    expect(Object.keys(document.paths["/things/{id}"].get.responses)).toEqual([
      "200",
      "400",
      "401",
      "403",
      "404",
      "500",
      "501",
    ]);
  });

  test("describes parameters, strict bodies and replies", () => {
    const { post } = document.paths["/things"];
    expect(post).not.toHaveProperty("x-not-built");
    expect(post.security).toEqual([]);
    expect(post.parameters).toEqual([
      { name: "dry", in: "query", description: "Only try.", schema: { type: "boolean", description: "Only try." } },
      { name: "mode", in: "query", required: true, schema: { type: "string" } },
    ]);
    expect(post.requestBody.content["application/json"].schema).toEqual({
      type: "object",
      required: ["name"],
      properties: { name: { type: "string" } },
      additionalProperties: false,
    });
    expect(post.responses["201"].description).toBe("The result. It carries itself as `result` too.");
  });

  test("every reference leads somewhere", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/gu)].map(([, path = ""]) => path);
    expect(references.length).toBeGreaterThan(5);
    for (const path of references) {
      const target = path.split("/").reduce((value, key) => value?.[key], document);
      expect([path, typeof target]).toEqual([path, "object"]);
    }
  });
});
