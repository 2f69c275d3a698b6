import type { Caller } from "../core/caller.ts";
import type { Clock } from "../core/clock.ts";
import { badRequest } from "../core/errors.ts";
import type { Identifiers } from "../core/identifiers.ts";
import { maskedSecret, type SecretBox } from "../core/secret-box.ts";
import type { Stored } from "../store/store.ts";
import {
  deviceDefaults,
  type DeviceChange,
  type DeviceRecord,
  type DeviceView,
  type NewDevice,
} from "./inventory-schema.ts";
import { findPlatform, platforms } from "./platforms.ts";
import { mapSecretMembers } from "./secret-members.ts";

/** What making a record needs. */
export interface RecordParts {
  secretBox: SecretBox;
  clock: Clock;
  identifiers: Identifiers;
}

/** A device with its secrets, for the login that needs them (decision 21). */
export interface DeviceLogin {
  id: string;
  version: number;
  device: Omit<DeviceRecord, "password" | "enablePassword">;
  password: string;
  enablePassword: string | undefined;
}

/** The record of a new device: defaults, then what was given. */
export function newRecord(parts: RecordParts, device: NewDevice, caller: Caller): DeviceRecord {
  const now = new Date(parts.clock.now()).toISOString();
  const blank = {
    _id: parts.identifiers.documentId(),
    name: device.name,
    host: device.host,
    ...deviceDefaults,
    groups: [],
    created: now,
    createdBy: caller.username,
    lastUpdated: now,
    lastUpdatedBy: caller.username,
  };
  return changedRecord(parts, blank, device, caller);
}

/** The record with the given members replaced and their secrets sealed. A mask that comes back leaves its secret. */
export function changedRecord(
  parts: RecordParts,
  before: DeviceRecord,
  change: DeviceChange,
  caller: Caller,
): DeviceRecord {
  const { password, enablePassword, variables, platform, ...plain } = change;
  const seal = (secret: string, path: string) => parts.secretBox.seal(secret, secretContext(before._id, path));
  const record: DeviceRecord = {
    ...before,
    ...plain,
    ...(platform !== undefined && { platform: platformId(platform) }),
    ...(variables !== undefined && { variables: sealVariables(variables, before.variables, seal) }),
    lastUpdated: new Date(parts.clock.now()).toISOString(),
    lastUpdatedBy: caller.username,
  };
  for (const [member, secret] of [["password", password] as const, ["enablePassword", enablePassword] as const]) {
    if (secret === null) delete record[member];
    else if (secret !== undefined && secret !== maskedSecret) record[member] = seal(secret, `/${member}`);
  }
  return record;
}

/** Seals what is named like a secret; a mask that comes back keeps what was there. */
function sealVariables(
  variables: Record<string, unknown>,
  before: Record<string, unknown>,
  seal: (secret: string, path: string) => string,
): Record<string, unknown> {
  const kept = new Map<string, string>();
  mapSecretMembers(before, (sealed, path) => {
    kept.set(path, sealed);
    return sealed;
  });
  return mapSecretMembers(variables, (secret, path) =>
    secret === maskedSecret ? (kept.get(path) ?? seal("", `/variables${path}`)) : seal(secret, `/variables${path}`),
  ) as Record<string, unknown>;
}

/** The record as it is answered: every secret masked. */
export function viewOf(record: DeviceRecord): DeviceView {
  const view: DeviceView = {
    ...record,
    variables: mapSecretMembers(record.variables, () => maskedSecret) as Record<string, unknown>,
  };
  if (view.password !== undefined) view.password = maskedSecret;
  if (view.enablePassword !== undefined) view.enablePassword = maskedSecret;
  return view;
}

/** The record with its credentials opened. */
export function loginOf(secretBox: SecretBox, { document, version }: Stored<DeviceRecord>): DeviceLogin {
  const { password, enablePassword, ...device } = document;
  const open = (sealed: string | undefined, member: string) =>
    sealed === undefined ? undefined : secretBox.open(sealed, secretContext(document._id, `/${member}`));
  return {
    id: document._id,
    version,
    device,
    password: open(password, "password") ?? "",
    enablePassword: open(enablePassword, "enablePassword"),
  };
}

function secretContext(id: string, path: string): string {
  return `devices/${id}${path}`;
}

function platformId(name: string): string {
  const platform = findPlatform(name);
  if (platform) return platform.id;
  const known = platforms.map(({ id }) => id).join(", ");
  throw badRequest(`Unknown platform "${name}"`, [{ path: "/body/platform", message: `must be one of ${known}` }]);
}
