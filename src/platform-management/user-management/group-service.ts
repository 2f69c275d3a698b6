import type { Caller } from "../../core/caller.ts";
import { badRequest, conflict, notFound } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { findPage, selectCoreList } from "../../core/list-query.ts";
import type { CoreListQuery } from "../../core/schemas.ts";
import type { Stored, Write } from "../../store/store.ts";
import { commitUnique, nowText, type AccessContext } from "./access-context.ts";
import { effectiveRoles, reachableGroups, type AccessModel } from "./access-model.ts";
import {
  localProvenance,
  platformProvenance,
  type Group,
  type GroupDetails,
  type Membership,
  type RoleReference,
} from "./account-schema.ts";
import { keepAnAdministrator, modelWith } from "./administrators.ts";
import { addedBy, assertMayGrant, assertMayName } from "./grants.ts";
import { dropGroup } from "./holders.ts";
import { assertKnownReferences } from "./references.ts";
import { repeatOnConflict } from "./repeat-on-conflict.ts";

/** What people say of a group; each list replaces the whole list. */
export interface GroupUpdates {
  name?: string;
  description?: string;
  memberOf?: Membership[];
  assignedRoles?: RoleReference[];
  inactive?: boolean;
}

/** The groups of accounts: spec `platform-management.md` §3. Groups are found by identifier or name. */
export class GroupService {
  readonly #context: AccessContext;

  constructor(context: AccessContext) {
    this.#context = context;
  }

  list(query: CoreListQuery & { inactive?: boolean }): Promise<{ results: Group[]; total: number }> {
    const further: Record<string, Json> = query.inactive === undefined ? {} : { inactive: query.inactive };
    return findPage<Group>(this.#context.store, "groups", selectCoreList(query), further);
  }

  /** All groups by name, in short. */
  async names(): Promise<Pick<Group, "_id" | "name" | "provenance">[]> {
    const groups = await this.#context.store.find<Group>("groups", {}, { sort: { name: 1 } });
    return groups.map(({ _id, name, provenance }) => ({ _id, name, provenance }));
  }

  async read(groupIdOrName: string): Promise<GroupDetails> {
    const { document } = await this.#readStored(groupIdOrName);
    return withInherited(document, await this.#context.directory.model());
  }

  /** 409 when the name is taken. `at` is the pointer of the group in the request. */
  async create(
    group: GroupUpdates & { name: string; provenance?: string },
    caller: Caller,
    at: string,
  ): Promise<Group> {
    const model = await this.#context.directory.model();
    assertKnownReferences(group, model, at);
    assertMayGrant(caller, group, model);
    const created = nowText(this.#context);
    const document: Group = {
      _id: this.#context.identifiers.documentId(),
      provenance: group.provenance ?? localProvenance,
      name: group.name,
      description: group.description ?? "",
      memberOf: group.memberOf ?? [],
      assignedRoles: group.assignedRoles ?? [],
      inactive: group.inactive ?? false,
      _meta: { created, updated: created },
    };
    assertMayName(caller, document, model);
    await commitUnique(this.#context.store, [{ kind: "insert", collection: "groups", document }], document.name);
    return document;
  }

  /** 409 for a taken name, a group that would contain itself, and when no administrator would be left. */
  async update(groupIdOrName: string, updates: GroupUpdates, caller: Caller): Promise<Group> {
    if (Object.keys(updates).length === 0) throw badRequest("No applicable updates requested");
    return repeatOnConflict(async () => {
      const { document: before, version } = await this.#readStored(groupIdOrName);
      const model = await this.#context.directory.model();
      assertKnownReferences(updates, model, "/body/updates");
      assertMayGrant(caller, addedBy(updates, before), model);
      const after: Group = { ...before, ...updates, _meta: { ...before._meta, updated: nowText(this.#context) } };
      assertMayChange(before, after, model);
      if (before.name !== after.name) assertMayName(caller, after, model);
      const guards = await this.#guards(model, before._id, after);
      await commitUnique(this.#context.store, mergedByDocument([replacement(after, version)], guards), after.name);
      return after;
    });
  }

  /** `roles` replace all roles of the group. */
  setRoles(groupIdOrName: string, assignedRoles: RoleReference[], caller: Caller): Promise<Group> {
    return this.update(groupIdOrName, { assignedRoles }, caller);
  }

  /** Takes the group out of everything that belongs to it, too. 409 for a group of administrators. */
  delete(groupIdOrName: string): Promise<Group> {
    return repeatOnConflict(async () => {
      const { store, directory } = this.#context;
      const { document: group } = await this.#readStored(groupIdOrName);
      const model = await directory.model();
      if (model.adminGroupIds.has(group._id))
        throw conflict(`The group ${group.name} of administrators cannot be deleted.`);
      const guards = await this.#guards(model, group._id);
      const dropped = await dropGroup(store, group._id);
      await store.commit([
        { kind: "remove", collection: "groups", id: group._id },
        ...mergedByDocument(dropped, guards),
      ]);
      return group;
    });
  }

  async #readStored(groupIdOrName: string): Promise<Stored<Group>> {
    const { store } = this.#context;
    const stored =
      (await store.read<Group>("groups", groupIdOrName)) ??
      (await store.readBy<Group>("groups", "name", groupIdOrName));
    if (!stored) throw notFound(`Group ${groupIdOrName} does not exist!`);
    return stored;
  }

  #guards(before: AccessModel, groupId: string, after?: Group): Promise<Write[]> {
    return keepAnAdministrator(this.#context.store, { before, after: modelWith(before, groupId, after) });
  }
}

function withInherited(group: Group, model: AccessModel): GroupDetails {
  const groups = reachableGroups(group.memberOf, model);
  const roles = effectiveRoles(group.assignedRoles, groups, model);
  return {
    ...group,
    inheritedGroups: groups.map(({ _id }) => ({ groupId: _id })),
    inheritedRoles: roles.map(({ _id }) => ({ roleId: _id })),
  };
}

function assertMayChange(before: Group, after: Group, model: AccessModel): void {
  const isOurs = before.provenance === localProvenance || before.provenance === platformProvenance;
  const isRenamed = before.name !== after.name;
  if (!isOurs && (isRenamed || before.description !== after.description)) {
    throw conflict(`Name and description of the group ${before.name} come from ${before.provenance}.`);
  }
  if (isRenamed && model.adminGroupIds.has(before._id))
    throw conflict(`The group ${before.name} of administrators keeps its name.`);
  if (reachableGroups(after.memberOf, model).some((group) => group._id === after._id)) {
    throw conflict(`The group ${before.name} would become a member of itself.`);
  }
}

function replacement(document: Group, version: number): Write {
  return { kind: "replace", collection: "groups", document, version };
}

// A commit writes each document once: a document that is changed anyway needs no guard of its own.
function mergedByDocument(writes: readonly Write[], guards: readonly Write[]): Write[] {
  const written = new Set(writes.map(documentId));
  return [...writes, ...guards.filter((guard) => !written.has(documentId(guard)))];
}

function documentId(write: Write): string | undefined {
  return "document" in write ? (write.document as { _id?: string })._id : undefined;
}
