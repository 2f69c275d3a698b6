import { methodsByProvenance, type Access } from "../user-management/index.ts";

/** Who somebody is and what they may do: spec `platform-management.md` §2.6. */
export interface Identity {
  id: string;
  provenance: string;
  username: string;
  firstname: string;
  groups: { id: string; provenance: string; name: string }[];
  /** Paths of the views they may open. */
  routes: string[];
  /** Application to the names of the methods they may use. */
  methods: Record<string, string[]>;
  /** `_id`s of the roles they have in any way. */
  roles: string[];
}

/** Describes an account with its access. */
export function identityOf({ account, groups, roles }: Access): Identity {
  const views = roles.flatMap((role) => role.allowedViews.map(({ path }) => path));
  const methods = [...methodsByProvenance(roles)].map(
    ([provenance, names]) => [provenance, [...names]] as [string, string[]],
  );
  return {
    id: account._id,
    provenance: account.provenance,
    username: account.username,
    firstname: account.firstname,
    groups: groups.map(({ _id, provenance, name }) => ({ id: _id, provenance, name })),
    routes: [...new Set(views)],
    methods: Object.fromEntries(methods),
    roles: roles.map(({ _id }) => _id),
  };
}
