import type { Application } from "../core/application.ts";
import { planned, withAliases } from "../core/planned-operation.ts";

/** Orchestrator manager: passes REST calls on to a network service orchestrator. Roles: seed document 1. */
export const orchestratorManager: Application = {
  id: "NSOManager",
  name: "Orchestrator manager",
  summary: "Passes REST calls on to a network service orchestrator through one of its adapters.",
  operations: [
    withAliases(
      planned(
        "restAction",
        "POST /orchestrator_manager/restAction/:adapterId",
        "Have the orchestrator change something by REST.",
        ["admin"],
      ),
      "POST /nso_manager/restAction/:adapterId",
    ),
    withAliases(
      planned(
        "restQuery",
        "POST /orchestrator_manager/restQuery/:adapterId",
        "Read something from the orchestrator by REST.",
        ["admin"],
      ),
      "POST /nso_manager/restQuery/:adapterId",
    ),
  ],
};
