import { Type, type Static, type TProperties } from "@sinclair/typebox";

/**
 * `accept-new`: the key of the first login is kept and asked for ever after; `strict`: only kept keys;
 * `off`: any key.
 */
export const HostKeyPolicy = Type.Union([Type.Literal("accept-new"), Type.Literal("strict"), Type.Literal("off")]);
export type HostKeyPolicy = Static<typeof HostKeyPolicy>;

const deviceName = Type.String({ minLength: 1, maxLength: 255, description: "Unique name." });

const ownMembers = {
  description: Type.String(),
  host: Type.String({ minLength: 1, maxLength: 255, pattern: "^[^\\s/@]+$", description: "Name or address." }),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  platform: Type.String({
    description: "Kind of command line, e.g. `cisco_ios`; names of other tools are understood.",
  }),
  transport: Type.Literal("ssh"),
  username: Type.String({ maxLength: 255 }),
  groups: Type.Array(Type.String({ minLength: 1 })),
  variables: Type.Record(Type.String(), Type.Unknown(), {
    description: "Values for templates. Members that are named like secrets are kept encrypted.",
  }),
  isReadOnly: Type.Boolean({ description: "Refuse every command that does not only read." }),
  hasLegacyAlgorithms: Type.Boolean({ description: "Also offer the algorithms of old devices." }),
  hostKeyPolicy: HostKeyPolicy,
} satisfies TProperties;

const secretMembers = {
  password: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: "Never shown again; null removes it." }),
  ),
  enablePassword: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: "Present: enter privileged mode after login with this password; empty where none is asked.",
    }),
  ),
} satisfies TProperties;

const optionalMembers = Type.Partial(Type.Object(ownMembers)).properties;

/** A new device. Only name and host must be given. */
export const NewDevice = Type.Object({ ...optionalMembers, ...secretMembers, name: deviceName, host: ownMembers.host });
export type NewDevice = Static<typeof NewDevice>;

/** Changes of a device: members that are given replace, the others stay. */
export const DeviceChange = Type.Partial(Type.Object({ ...ownMembers, ...secretMembers, name: deviceName }));
export type DeviceChange = Static<typeof DeviceChange>;

const audit = {
  created: Type.String({ description: "ISO 8601." }),
  createdBy: Type.String(),
  lastUpdated: Type.String({ description: "ISO 8601." }),
  lastUpdatedBy: Type.String(),
};

/** A device as it is kept: secrets sealed. Never answered as it is. */
export const DeviceRecord = Type.Object({
  _id: Type.String(),
  name: deviceName,
  ...ownMembers,
  password: Type.Optional(Type.String()),
  enablePassword: Type.Optional(Type.String()),
  ...audit,
});
export type DeviceRecord = Static<typeof DeviceRecord>;

/** A device as it is answered: secrets masked. Shape of the records otherwise. */
export const DeviceView = DeviceRecord;
export type DeviceView = DeviceRecord;

/** What members a new device has when they are not given. */
export const deviceDefaults = {
  description: "",
  port: 22,
  platform: "cisco_ios",
  transport: "ssh",
  username: "",
  groups: [],
  variables: {},
  isReadOnly: false,
  hasLegacyAlgorithms: false,
  hostKeyPolicy: "accept-new",
} as const;
