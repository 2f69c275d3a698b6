import type { Application } from "../../core/application.ts";
import { prebuiltRepositoriesPlanned } from "./prebuilt-repositories-planned.ts";

/** Repositories that prebuilts are installed from. */
export const prebuiltRepositories: Application = {
  id: "PrebuiltsRepository",
  name: "Prebuilt repositories",
  summary: "Knows the repositories that prebuilts are installed from.",
  errorStyle: "string",
  operations: prebuiltRepositoriesPlanned,
};
