import type { Application } from "../../core/application.ts";
import type { Caller } from "../../core/caller.ts";
import { badRequest, conflict, notFound, type ErrorDetail } from "../../core/errors.ts";
import { findPage, selectCoreList } from "../../core/list-query.ts";
import { selectInMemory } from "../../core/list-in-memory.ts";
import type { CoreListQuery } from "../../core/schemas.ts";
import type { Stored, Write } from "../../store/store.ts";
import { commitUnique, nowText, type AccessContext } from "./access-context.ts";
import { customProvenance, type AllowedMethod, type AllowedView, type Role } from "./account-schema.ts";
import { isSameRole, rolesOfManifest } from "./generated-roles.ts";
import { assertHoldsMethods, isAssignable } from "./grants.ts";
import { dropRole } from "./holders.ts";
import {
  manifestOf,
  type ManifestSource,
  type MethodEntry,
  type PermissionManifest,
  type ViewEntry,
} from "./permission-catalog.ts";
import { repeatOnConflict } from "./repeat-on-conflict.ts";

/** What people say of a custom role; each list replaces the whole list. */
export interface RoleUpdates {
  name?: string;
  description?: string;
  allowedMethods?: AllowedMethod[];
  allowedViews?: AllowedView[];
}

type Page<T> = Promise<{ results: T[]; total: number }>;

/** Roles: generated from what is hosted (decision 14), and custom ones. */
export class RoleService {
  readonly #context: AccessContext;

  constructor(context: AccessContext) {
    this.#context = context;
  }

  /** Brings the roles of all applications up to date; roles of applications that are gone are removed and dropped from their holders. */
  async generateRoles(applications: readonly Application[]): Promise<void> {
    await this.replaceManifests("application", applications.map(manifestOf));
  }

  /** The manifests of one kind are exactly these from now on. */
  async replaceManifests(source: ManifestSource, manifests: readonly PermissionManifest[]): Promise<void> {
    const { catalog, store } = this.#context;
    for (const { provenance } of catalog.manifests(source)) catalog.withdraw(source, provenance);
    for (const manifest of manifests) catalog.publish(source, manifest);
    await this.#synchronise(source, await store.find<Role>("roles", { "_meta.source": source }), manifests);
  }

  /** Publishes one manifest, e.g. of an adapter or integration model that was just created. */
  async publishManifest(source: ManifestSource, manifest: PermissionManifest): Promise<void> {
    this.#context.catalog.publish(source, manifest);
    await this.#synchronise(source, await this.#generated(source, manifest.provenance), [manifest]);
  }

  /** Removes the manifest of something that is gone, with its roles. */
  async withdrawManifest(source: ManifestSource, provenance: string): Promise<void> {
    this.#context.catalog.withdraw(source, provenance);
    await this.#synchronise(source, await this.#generated(source, provenance), []);
  }

  list(query: CoreListQuery): Page<Role> {
    return findPage<Role>(this.#context.store, "roles", selectCoreList(query));
  }

  /** Roles that the caller may hand out. */
  async listAssignable(query: CoreListQuery, caller: Caller): Page<Role> {
    if (caller.isAdmin) return this.list(query);
    const roles = [...(await this.#context.directory.model()).roles.values()];
    return selectInMemory(
      roles.filter((role) => isAssignable(caller, role)),
      selectCoreList(query),
    );
  }

  /** Methods that roles can allow. Without `limit` all of them: clients read one page only. */
  listMethods(query: CoreListQuery): { results: MethodEntry[]; total: number } {
    const selection = selectCoreList(query, { defaultLimit: Number.MAX_SAFE_INTEGER });
    return selectInMemory(this.#context.catalog.methods(), selection);
  }

  listViews(query: CoreListQuery): { results: ViewEntry[]; total: number } {
    const selection = selectCoreList(query, { defaultField: "path", defaultLimit: Number.MAX_SAFE_INTEGER });
    return selectInMemory(this.#context.catalog.views(), selection);
  }

  async read(roleId: string): Promise<Role> {
    return (await this.#readStored(roleId)).document;
  }

  /** 409 when there is a custom role of that name. */
  async create(role: RoleUpdates & { name: string; provenance?: string }, caller: Caller): Promise<Role> {
    if ((role.provenance ?? customProvenance) !== customProvenance) {
      const message = `must be ${customProvenance}: other roles are generated`;
      throw badRequest(`provenance ${message}`, [{ path: "/body/role/provenance", message }]);
    }
    const { allowedMethods = [], allowedViews = [], description = "", name } = role;
    this.#assertKnown({ allowedMethods, allowedViews }, "/body/role");
    assertHoldsMethods(caller, allowedMethods);
    const created = nowText(this.#context);
    const _id = this.#context.identifiers.documentId();
    const _meta = { created, updated: created };
    const document: Role = {
      _id,
      provenance: customProvenance,
      name,
      description,
      allowedMethods,
      allowedViews,
      _meta,
    };
    await commitUnique(this.#context.store, [{ kind: "insert", collection: "roles", document }], name);
    return document;
  }

  /** 409 for a role that is not custom, and for a taken name. */
  update(roleId: string, updates: RoleUpdates, caller: Caller): Promise<Role> {
    if (Object.keys(updates).length === 0) throw badRequest("No applicable updates requested");
    return repeatOnConflict(async () => {
      const { document: before, version } = await this.#readCustom(roleId, "update");
      const added = addedPermissions(updates, before);
      this.#assertKnown(added, "/body/updates");
      assertHoldsMethods(caller, added.allowedMethods);
      const document: Role = { ...before, ...updates, _meta: { ...before._meta, updated: nowText(this.#context) } };
      await commitUnique(
        this.#context.store,
        [{ kind: "replace", collection: "roles", document, version }],
        document.name,
      );
      return document;
    });
  }

  /** Takes the role from everybody who has it, too. 409 for a role that is not custom. */
  delete(roleId: string): Promise<Role> {
    return repeatOnConflict(async () => {
      const { document } = await this.#readCustom(roleId, "delete");
      await this.#remove(document);
      return document;
    });
  }

  async #readStored(roleId: string): Promise<Stored<Role>> {
    const stored = await this.#context.store.read<Role>("roles", roleId);
    if (!stored) throw notFound(`Role ${roleId} does not exist!`);
    return stored;
  }

  async #readCustom(roleId: string, verb: string): Promise<Stored<Role>> {
    const stored = await this.#readStored(roleId);
    if (stored.document.provenance !== customProvenance) throw conflict(`Cannot ${verb} non-custom role`);
    return stored;
  }

  #generated(source: ManifestSource, provenance: string): Promise<Role[]> {
    return this.#context.store.find<Role>("roles", { "_meta.source": source, provenance });
  }

  async #synchronise(
    source: ManifestSource,
    existing: readonly Role[],
    manifests: readonly PermissionManifest[],
  ): Promise<void> {
    const wanted = manifests.flatMap((manifest) => rolesOfManifest(source, manifest, nowText(this.#context)));
    const existingById = new Map(existing.map((role) => [role._id, role]));
    const changed = wanted.flatMap((role): Write[] => {
      const before = existingById.get(role._id);
      if (before && isSameRole(before, role)) return [];
      const document = before ? { ...role, _meta: { ...role._meta, created: before._meta.created } } : role;
      return [{ kind: "put", collection: "roles", document }];
    });
    if (changed.length > 0) await this.#context.store.commit(changed);
    const wantedIds = new Set(wanted.map((role) => role._id));
    for (const role of existing) if (!wantedIds.has(role._id)) await repeatOnConflict(() => this.#remove(role));
  }

  async #remove({ _id }: Role): Promise<void> {
    const dropped = await dropRole(this.#context.store, _id);
    await this.#context.store.commit([{ kind: "remove", collection: "roles", id: _id }, ...dropped]);
  }

  #assertKnown(permissions: { allowedMethods: AllowedMethod[]; allowedViews: AllowedView[] }, at: string): void {
    const { catalog } = this.#context;
    const details: ErrorDetail[] = [];
    permissions.allowedMethods.forEach(({ provenance, name }, index) => {
      if (catalog.hasMethod(provenance, name)) return;
      details.push({ path: `${at}/allowedMethods/${index}`, message: `there is no method ${provenance}:${name}` });
    });
    permissions.allowedViews.forEach(({ provenance, path }, index) => {
      if (catalog.hasView(provenance, path)) return;
      details.push({ path: `${at}/allowedViews/${index}`, message: `there is no view ${provenance}:${path}` });
    });
    if (details.length > 0) throw badRequest(details.map(({ message }) => message).join("; "), details);
  }
}

// What a role allows already may stay although the adapter or integration it belongs to is gone.
function addedPermissions({ allowedMethods = [], allowedViews = [] }: RoleUpdates, before: Role) {
  const methods = new Set(before.allowedMethods.map(({ provenance, name }) => `${provenance}\n${name}`));
  const views = new Set(before.allowedViews.map(({ provenance, path }) => `${provenance}\n${path}`));
  return {
    allowedMethods: allowedMethods.filter(({ provenance, name }) => !methods.has(`${provenance}\n${name}`)),
    allowedViews: allowedViews.filter(({ provenance, path }) => !views.has(`${provenance}\n${path}`)),
  };
}
