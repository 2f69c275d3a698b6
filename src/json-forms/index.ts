import type { Application } from "../core/application.ts";
import { planned } from "../core/planned-operation.ts";

/** JSON forms: input forms of automations and manual tasks. Roles: seed document 1. */
export const jsonForms: Application = {
  id: "JsonForms",
  name: "JSON forms",
  summary: "Keeps the input forms of automations and manual tasks.",
  errorStyle: "status",
  operations: [
    planned("createForm", "POST /json-forms/forms", "Store a new form under a name of its own.", [
      "admin",
      "other",
      "readonly",
      "apiread",
      "operator",
    ]),
  ],
};
