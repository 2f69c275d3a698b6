/** Role names of the field. A role exists per application: its documents are generated from the operations' lists. */
export type RoleName =
  | "admin"
  | "apiread"
  | "apiwrite"
  | "authoring"
  | "engineering"
  | "operations"
  | "operator"
  | "other"
  | "readonly"
  | "support";

/** Operations that only read (decision 14). */
export const readRoles: readonly RoleName[] = [
  "admin",
  "apiread",
  "apiwrite",
  "engineering",
  "operations",
  "operator",
  "readonly",
  "support",
];
/** Operations that change something. */
export const writeRoles: readonly RoleName[] = ["admin", "apiwrite", "engineering"];
/** Working on jobs and manual tasks: also the people on shift. */
export const workRoles: readonly RoleName[] = ["admin", "apiwrite", "engineering", "operations", "operator", "support"];
/** Platform management that changes something. */
export const adminRoles: readonly RoleName[] = ["admin"];
/** Platform management that only reads. */
export const managementReadRoles: readonly RoleName[] = ["admin", "apiread", "readonly"];
