import type { Application } from "../core/application.ts";
import { planned } from "../core/planned-operation.ts";

/** Automation gateway: HTTP requests to devices of the inventory. Roles: seed document 1. */
export const automationGateway: Application = {
  id: "AutomationGateway",
  name: "Automation gateway",
  summary: "Sends HTTP requests to devices of the inventory.",
  operations: [
    planned(
      "sendRequest",
      "POST /automationgateway/http_requests/request/execute",
      "Send one HTTP request to a device and give back its answer.",
      ["admin"],
    ),
  ],
};
