import { Type } from "@sinclair/typebox";
import type { Application } from "../../../src/core/application.ts";
import { conflict, PlatformError } from "../../../src/core/errors.ts";
import { operationOf } from "../../../src/core/operation.ts";

const common = { response: Type.Unknown(), roles: ["admin"] as const };

/** Answers errors as texts. */
export const texts: Application = {
  id: "Texts",
  name: "Texts",
  summary: "Errors as texts.",
  errorStyle: "string",
  operations: [
    operationOf<unknown>()({
      ...common,
      name: "fail",
      method: "POST",
      path: "/texts/fail",
      summary: "Fails.",
      body: Type.Object({ name: Type.String() }),
      handle: () => {
        throw new PlatformError("NOT_FOUND", "Could not find matching template");
      },
    }),
  ],
};

/** Answers a taken name with a status. */
export const forms: Application = {
  id: "Forms",
  name: "Forms",
  summary: "Errors as status.",
  errorStyle: "status",
  operations: [
    operationOf<unknown>()({
      ...common,
      name: "createForm",
      method: "POST",
      path: "/forms",
      summary: "Always there already.",
      body: Type.Object({ name: Type.String() }),
      handle: (_services, { body }) => {
        throw conflict(`Form ${body.name} exists already.`);
      },
    }),
  ],
};
