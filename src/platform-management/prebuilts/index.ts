import type { Application } from "../../core/application.ts";
import { prebuiltsPlanned } from "./prebuilts-planned.ts";

/** Prebuilts: packages of workflows and what belongs to them. */
export const prebuilts: Application = {
  id: "Prebuilts",
  name: "Prebuilts",
  summary: "Installs packages of workflows and what belongs to them.",
  errorStyle: "string",
  operations: prebuiltsPlanned,
};
