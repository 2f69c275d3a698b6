import { derivedDocumentId } from "../../core/identifiers.ts";
import type { AllowedMethod, AllowedView, Role } from "./account-schema.ts";
import type { ManifestSource, PermissionManifest } from "./permission-catalog.ts";

/**
 * The role documents of a manifest: one per role name that any of its methods or views lists, with
 * exactly those (spec `platform-management.md` §3.1). Identifiers depend on provenance and name
 * alone, so every node and every start generates the same ones.
 */
export function rolesOfManifest(source: ManifestSource, manifest: PermissionManifest, nowText: string): Role[] {
  const { provenance } = manifest;
  const names = new Set([...manifest.methods, ...manifest.views].flatMap(({ roles }) => roles));
  return [...names].map((name) => ({
    _id: derivedDocumentId(0, `role\n${provenance}\n${name}`),
    provenance,
    name,
    description: `Role ${name} of ${provenance}`,
    allowedMethods: methodsOf(manifest, name),
    allowedViews: viewsOf(manifest, name),
    _meta: { created: nowText, updated: nowText, source },
  }));
}

/** True when both say the same apart from their times. */
export function isSameRole(a: Role, b: Role): boolean {
  const content = ({ _meta, ...role }: Role): string => JSON.stringify({ ...role, source: _meta.source });
  return content(a) === content(b);
}

function methodsOf({ provenance, methods }: PermissionManifest, roleName: string): AllowedMethod[] {
  return methods.filter(({ roles }) => roles.includes(roleName)).map(({ entry }) => ({ name: entry.name, provenance }));
}

function viewsOf({ provenance, views }: PermissionManifest, roleName: string): AllowedView[] {
  return views.filter(({ roles }) => roles.includes(roleName)).map(({ path }) => ({ path, provenance }));
}
