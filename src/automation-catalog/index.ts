import type { Application } from "../core/application.ts";
import { planned } from "../core/planned-operation.ts";

/** Automation catalog: named automations that can be scheduled. Roles: seed document 1. */
export const automationCatalog: Application = {
  id: "AutomationCatalog",
  name: "Automation catalog",
  summary: "Keeps named automations that can be scheduled.",
  operations: [
    planned("createAutomation", "POST /automation_catalog/automations", "Add an automation to the catalog.", [
      "admin",
      "other",
      "apiread",
    ]),
  ],
};
