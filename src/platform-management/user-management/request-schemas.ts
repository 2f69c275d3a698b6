import { Type } from "@sinclair/typebox";
import { CoreListQuery } from "../../core/schemas.ts";
import { AllowedMethod, AllowedView, Membership, RoleReference } from "./account-schema.ts";

/** A user name: no colon, which HTTP Basic cannot carry (RFC 7617), no blanks or control characters. */
const Username = Type.String({ minLength: 1, maxLength: 128, pattern: "^[^\\s:\\u0000-\\u001f\\u007f]+$" });
const Name = Type.String({ minLength: 1, maxLength: 256, pattern: "\\S" });
const Password = Type.String({ description: "At least 12 characters." });
const description = Type.Optional(Type.String({ maxLength: 10_000 }));
const profile = {
  firstname: Type.Optional(Type.String({ maxLength: 256 })),
  email: Type.Optional(Type.String({ maxLength: 256 })),
};

const NewAccount = Type.Object({
  username: Username,
  password: Password,
  ...profile,
  groups: Type.Optional(Type.Array(Type.String(), { description: "Names or identifiers of groups." })),
});
/** Body of createAccount, bare or wrapped: spec `platform-management.md` §3.3. */
export const CreateAccountBody = Type.Union([
  NewAccount,
  Type.Object({ account: NewAccount }),
  Type.Object({ user: NewAccount }),
]);

export const ProfileBody = Type.Object(profile);

/** Body of setAccountGroups. */
export const SetGroupsBody = Type.Union([
  Type.Object({ groups: Type.Array(Type.String()) }),
  Type.Array(Type.String()),
]);

/** Body of setAccountPassword. */
export const SetPasswordBody = Type.Union([
  Type.Object({ password: Password, oldPassword: Type.Optional(Type.String()) }),
  Type.Object({ newPassword: Password, oldPassword: Type.Optional(Type.String()) }),
]);

const lists = {
  memberOf: Type.Optional(Type.Array(Membership)),
  assignedRoles: Type.Optional(Type.Array(RoleReference)),
  inactive: Type.Optional(Type.Boolean()),
};

/** Body of updateAccount; the bare form is how clients switch accounts on and off. */
export const UpdateAccountBody = Type.Union([
  Type.Object({ updates: Type.Object(lists) }),
  Type.Object({ inactive: Type.Boolean() }),
]);

const ownNewGroup = Type.Object({ name: Name, description });
/** Body of createGroup of the account store, bare or wrapped. */
export const CreateGroupBody = Type.Union([ownNewGroup, Type.Object({ group: ownNewGroup })]);

/** Body of the newer createGroup: spec `platform-management.md` §3.2. */
export const CreatePlatformGroupBody = Type.Object({
  group: Type.Object({ name: Name, description, provenance: Type.Optional(Name), ...lists }),
});

export const UpdateGroupBody = Type.Object({
  updates: Type.Object({ name: Type.Optional(Name), description, ...lists }),
});

/** Body of setGroupRoles. */
export const SetRolesBody = Type.Union([
  Type.Object({ roles: Type.Array(Type.Union([Type.String(), RoleReference])) }),
  Type.Array(Type.Union([Type.String(), RoleReference])),
]);

const permissions = {
  allowedMethods: Type.Optional(Type.Array(AllowedMethod)),
  allowedViews: Type.Optional(Type.Array(AllowedView)),
};

export const CreateRoleBody = Type.Object({
  role: Type.Object({ name: Name, provenance: Type.Optional(Type.String()), description, ...permissions }),
});

export const UpdateRoleBody = Type.Object({
  updates: Type.Object({ name: Type.Optional(Name), description, ...permissions }),
});

/** Reply of an operation whose result is nothing but that it was done. */
export const MessageReply = Type.Object({ status: Type.String(), message: Type.String() });

export const AccountListQuery = Type.Object({
  ...CoreListQuery.properties,
  inactive: Type.Optional(Type.Boolean()),
  isServiceAccount: Type.Optional(Type.Boolean()),
  groupId: Type.Optional(Type.String({ description: "Only accounts that belong to this group themselves." })),
});

export const GroupListQuery = Type.Object({ ...CoreListQuery.properties, inactive: Type.Optional(Type.Boolean()) });

export const AccountParams = Type.Object({ accountId: Type.String({ minLength: 1 }) });
export const GroupParams = Type.Object({ groupId: Type.String({ minLength: 1, description: "Identifier or name." }) });
export const RoleParams = Type.Object({ roleId: Type.String({ minLength: 1 }) });
