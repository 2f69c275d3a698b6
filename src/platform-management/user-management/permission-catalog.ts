import type { Application } from "../../core/application.ts";
import type { Operation } from "../../core/operation.ts";

/** Kind of thing that brings methods: its roles are kept in step with others of the same kind only. */
export type ManifestSource = "application" | "adapter" | "integration";

/** A method that roles can allow: shape of the field's method list. */
export interface MethodEntry {
  provenance: string;
  name: string;
  deprecated: boolean;
  route: { path: string; verb: string; fullPath: string };
}

/** A page that roles can open. */
export interface ViewEntry {
  provenance: string;
  path: string;
}

/** What an application, adapter or integration model offers, with the names of the roles that may use it: spec `platform-management.md` §3.1. */
export interface PermissionManifest {
  provenance: string;
  methods: readonly { entry: MethodEntry; roles: readonly string[] }[];
  views: readonly { path: string; roles: readonly string[] }[];
}

/** All methods and views that roles can allow. */
export interface PermissionCatalog {
  manifests(source: ManifestSource): readonly PermissionManifest[];
  /** Puts in a manifest, in place of the one of the same provenance. */
  publish(source: ManifestSource, manifest: PermissionManifest): void;
  withdraw(source: ManifestSource, provenance: string): void;
  methods(): MethodEntry[];
  views(): ViewEntry[];
  hasMethod(provenance: string, name: string): boolean;
  hasView(provenance: string, path: string): boolean;
}

/** An empty catalog. */
export function createPermissionCatalog(): PermissionCatalog {
  const bySource = new Map<ManifestSource, Map<string, PermissionManifest>>();
  const manifestsOf = (source: ManifestSource): Map<string, PermissionManifest> => {
    const manifests = bySource.get(source) ?? new Map<string, PermissionManifest>();
    bySource.set(source, manifests);
    return manifests;
  };
  const all = (): PermissionManifest[] => [...bySource.values()].flatMap((manifests) => [...manifests.values()]);
  const of = (provenance: string): PermissionManifest[] =>
    all().filter((manifest) => manifest.provenance === provenance);
  return {
    manifests: (source) => [...manifestsOf(source).values()],
    publish: (source, manifest) => void manifestsOf(source).set(manifest.provenance, manifest),
    withdraw: (source, provenance) => void manifestsOf(source).delete(provenance),
    methods: () => all().flatMap(({ methods }) => methods.map(({ entry }) => entry)),
    views: () => all().flatMap(({ provenance, views }) => views.map(({ path }) => ({ provenance, path }))),
    hasMethod: (provenance, name) =>
      of(provenance).some(({ methods }) => methods.some(({ entry }) => entry.name === name)),
    hasView: (provenance, path) => of(provenance).some(({ views }) => views.some((view) => view.path === path)),
  };
}

/** The manifest of an application: its operations with a role list, and its views. */
export function manifestOf({ id, operations, views = [] }: Application): PermissionManifest {
  const methods = operations.flatMap((operation) =>
    typeof operation.roles === "string" ? [] : [{ entry: methodEntry(id, operation), roles: operation.roles }],
  );
  const everyRole = [...new Set(methods.flatMap(({ roles }) => roles))];
  return { provenance: id, methods, views: views.map(({ path, roles }) => ({ path, roles: roles ?? everyRole })) };
}

function methodEntry(provenance: string, { name, method, path, deprecated = false }: Operation): MethodEntry {
  const afterPrefix = path.indexOf("/", 1);
  const route = { path: afterPrefix < 0 ? "/" : path.slice(afterPrefix), verb: method, fullPath: path };
  return { provenance, name, deprecated, route };
}
