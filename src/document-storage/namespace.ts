import { badRequest } from "../core/errors.ts";

/** The project that owns a document. `reference` only where the project calls it by another id than its own. */
export interface Namespace {
  type: "project";
  _id: string;
  name: string;
  reference?: string;
}

/** `@<projectId>: `, which stored names of a project's documents begin with. */
export function namePrefix(projectId: string): string {
  return `@${projectId}: `;
}

/** BAD_REQUEST when the document belongs to a project and its name does not say so. */
export function requireProjectName(name: string, namespace: Namespace | undefined): void {
  if (!namespace || name.startsWith(namePrefix(namespace._id))) return;
  throw badRequest(`Name must begin with '${namePrefix(namespace._id)}'`);
}
