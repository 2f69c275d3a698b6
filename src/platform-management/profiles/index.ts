import type { Application } from "../../core/application.ts";
import { profilesPlanned } from "./profiles-planned.ts";

export { profileSchemaPlanned } from "./profiles-planned.ts";

/** Profiles: sets of server settings, one of which is active. */
export const profiles: Application = {
  id: "Profiles",
  name: "Profiles",
  summary: "Keeps sets of server settings, one of which is active.",
  errorStyle: "string",
  operations: profilesPlanned,
};
