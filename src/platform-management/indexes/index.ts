import type { Application } from "../../core/application.ts";
import { indexesPlanned } from "./indexes-planned.ts";

/** Indexes of the database's collections. */
export const indexes: Application = {
  id: "Indexes",
  name: "Indexes",
  summary: "Shows, checks and creates the indexes of the database.",
  errorStyle: "string",
  operations: indexesPlanned,
};
