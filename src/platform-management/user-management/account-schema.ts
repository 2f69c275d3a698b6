import { Type, type Static } from "@sinclair/typebox";

/** Provenance of accounts and groups of the platform's own account store. */
export const localProvenance = "local_aaa";
/** Provenance of groups made through `/authorization`: spec `platform-management.md` §3.1. */
export const platformProvenance = "Pronghorn";
/** Provenance of accounts that programs use through OAuth. */
export const serviceAccountProvenance = "Service Account";
/** Provenance of roles that people made. */
export const customProvenance = "Custom";

/** A role that an account or group holds. */
export const RoleReference = Type.Object({ roleId: Type.String() }, { additionalProperties: false });
export type RoleReference = Static<typeof RoleReference>;

/** A group that an account or group belongs to; `aaaManaged` when another account source says so. */
export const Membership = Type.Object(
  { groupId: Type.String(), aaaManaged: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);
export type Membership = Static<typeof Membership>;

/** ISO times of the document itself. */
const Meta = Type.Object({ created: Type.String(), updated: Type.String() });

/** An account: spec `platform-management.md` §3.1. Its password is not part of it. */
export const Account = Type.Object({
  _id: Type.String(),
  provenance: Type.String(),
  username: Type.String(),
  firstname: Type.String(),
  email: Type.String(),
  /** Only of service accounts. */
  description: Type.Optional(Type.String()),
  inactive: Type.Boolean(),
  loggedIn: Type.Boolean(),
  /** ISO time of the last login; absent before the first. */
  lastLogin: Type.Optional(Type.String()),
  assignedRoles: Type.Array(RoleReference),
  memberOf: Type.Array(Membership),
  gitTokens: Type.Record(Type.String(), Type.Unknown()),
  _meta: Meta,
});
export type Account = Static<typeof Account>;

/** A group of accounts and groups. */
export const Group = Type.Object({
  _id: Type.String(),
  provenance: Type.String(),
  name: Type.String(),
  description: Type.String(),
  memberOf: Type.Array(Membership),
  assignedRoles: Type.Array(RoleReference),
  inactive: Type.Boolean(),
  _meta: Meta,
});
export type Group = Static<typeof Group>;

/** A group with what it has through the groups it belongs to; what it has itself is included. */
export const GroupDetails = Type.Object({
  ...Group.properties,
  inheritedGroups: Type.Array(Type.Object({ groupId: Type.String() })),
  inheritedRoles: Type.Array(RoleReference),
});
export type GroupDetails = Static<typeof GroupDetails>;

/** An operation that a role allows; `provenance` is the application, adapter or integration model that has it. */
export const AllowedMethod = Type.Object(
  { name: Type.String(), provenance: Type.String() },
  { additionalProperties: false },
);
export type AllowedMethod = Static<typeof AllowedMethod>;

/** A page that a role opens. */
export const AllowedView = Type.Object(
  { path: Type.String(), provenance: Type.String() },
  { additionalProperties: false },
);
export type AllowedView = Static<typeof AllowedView>;

/** A role: generated per application (decision 14), or `Custom`. */
export const Role = Type.Object({
  _id: Type.String(),
  provenance: Type.String(),
  name: Type.String(),
  description: Type.String(),
  allowedMethods: Type.Array(AllowedMethod),
  allowedViews: Type.Array(AllowedView),
  _meta: Type.Object({
    created: Type.String(),
    updated: Type.String(),
    /** Kind of manifest that a generated role comes from; absent for custom roles. */
    source: Type.Optional(Type.String()),
  }),
});
export type Role = Static<typeof Role>;

/** Hashes of an account, in a collection of their own: never part of a reply. */
export interface CredentialsDocument {
  /** `_id` of the account. */
  _id: string;
  /** argon2id, PHC text. */
  passwordHash?: string;
  /** SHA-256, hex: client secrets are random, so a fast hash is enough. */
  secretHash?: string;
}
