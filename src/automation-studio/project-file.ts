import { badRequest, type ErrorDetail } from "../core/errors.ts";
import type { JsonObject } from "../core/json.ts";
import {
  componentKind,
  plainName,
  toComponentFile,
  type ComponentDocument,
  type ComponentKind,
} from "./component-kinds.ts";
import type { FileComponent, ProjectComponent, ProjectFile, StoredProject } from "./project-schema.ts";

/** A component that could not be taken over, and why. */
export interface FailedComponent {
  iid: number;
  type: string;
  reference: string;
  message: string;
}

/** A component of a file together with its kind. */
export interface KnownComponent {
  kind: ComponentKind;
  component: FileComponent;
}

/** Members of a project that belong to this installation and are no part of its file. */
const installationMembers: ReadonlySet<string> = new Set(["members", "accessControl", "componentIidIndex"]);

/**
 * Sorts the components of a file: those the platform knows, and those it cannot take.
 * BAD_REQUEST when two components have the same iid, or the same reference or name within a kind.
 */
export function readComponents(file: ProjectFile): { known: KnownComponent[]; failed: FailedComponent[] } {
  refuseRepeats(file.components);
  const known: KnownComponent[] = [];
  const failed: FailedComponent[] = [];
  for (const component of file.components) {
    const kind = componentKind(component.type);
    if (kind) known.push({ kind, component });
    else failed.push(failedComponent(component, `The type ${component.type} is not known`));
  }
  return { known, failed };
}

function failedComponent({ iid, type, reference }: FileComponent, message: string): FailedComponent {
  return { iid, type, reference, message };
}

function refuseRepeats(components: readonly FileComponent[]): void {
  const seen = new Set<string>();
  const problems: ErrorDetail[] = [];
  const note = (index: number, member: string, value: string): void => {
    if (seen.has(value))
      problems.push({ path: `/body/project/components/${index}/${member}`, message: "occurs twice" });
    seen.add(value);
  };
  for (const [index, { iid, type, reference, document }] of components.entries()) {
    note(index, "iid", `iid ${iid}`);
    note(index, "reference", `reference ${type} ${reference}`);
    note(index, "document/name", `name ${type} ${plainName(document.name)}`);
  }
  if (problems.length > 0) throw badRequest("Components of the project occur twice", problems);
}

/** The project without its components' documents and without what belongs to the installation it comes from. */
export function projectMembersOf(file: object): JsonObject {
  return Object.fromEntries(Object.entries(file).filter(([member]) => !installationMembers.has(member)));
}

/** The file of a project: its members and components in the order they came in. A component whose document is gone is left out. */
export function toProjectFile(
  project: StoredProject,
  documents: ReadonlyMap<ProjectComponent, ComponentDocument>,
): JsonObject {
  const components = project.components.flatMap((entry) => {
    const document = documents.get(entry);
    const kind = componentKind(entry.type);
    if (!document || !kind) return [];
    return [{ ...withoutDocumentId(entry), document: toComponentFile(kind, document) }];
  });
  return { ...projectMembersOf(project), components };
}

/** A component's entry as files and answers show it. */
export function withoutDocumentId({ documentId: _, ...entry }: ProjectComponent): Omit<ProjectComponent, "documentId"> {
  return entry;
}
