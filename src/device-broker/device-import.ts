import { isJsonObject } from "../core/json.ts";
import type { NewDevice } from "./inventory-schema.ts";

type Member = Exclude<keyof NewDevice, "variables" | "groups" | "name">;

/** Attribute names of other inventories and the member they stand for: spec templates-gateway-forms.md §2.4 and §2.5. */
const attributeMembers: Readonly<Record<string, Member>> = {
  itential_host: "host",
  itential_port: "port",
  itential_user: "username",
  itential_username: "username",
  itential_password: "password",
  itential_become_password: "enablePassword",
  itential_platform: "platform",
  ansible_host: "host",
  ansible_ssh_host: "host",
  ansible_port: "port",
  ansible_ssh_port: "port",
  ansible_user: "username",
  ansible_ssh_user: "username",
  ansible_password: "password",
  ansible_ssh_pass: "password",
  ansible_become_password: "enablePassword",
  ansible_become_pass: "enablePassword",
  ansible_network_os: "platform",
};

const ownMembers = new Set<string>([
  "description",
  "host",
  "port",
  "platform",
  "transport",
  "username",
  "password",
  "enablePassword",
  "isReadOnly",
  "hasLegacyAlgorithms",
  "hostKeyPolicy",
]);

/**
 * Reads one device of an import: our own members, the attributes of the field's inventories (beside the
 * name, or below `attributes` or `variables`), Ansible host variables. Other attributes become variables.
 * The result is still to be validated.
 */
export function readImportedDevice(entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { name, groups, tags, attributes, variables, ...flat } = entry;
  const device: Record<string, unknown> = { name };
  const others: Record<string, unknown> = {};
  for (const source of [variables, attributes, flat]) {
    if (isJsonObject(source)) sortAttributes(source, device, others);
  }
  const groupNames = Array.isArray(groups) ? groups : tags;
  if (groupNames !== undefined) device["groups"] = groupNames;
  if (Object.keys(others).length > 0) device["variables"] = others;
  device["host"] ??= name;
  return device;
}

function sortAttributes(
  source: Record<string, unknown>,
  device: Record<string, unknown>,
  others: Record<string, unknown>,
): void {
  for (const [name, value] of Object.entries(source)) {
    const member = attributeMembers[name] ?? (ownMembers.has(name) ? name : undefined);
    if (member === undefined) others[name] = value;
    else
      device[member] =
        member === "port" && typeof value === "string" && /^\d{1,5}$/.test(value) ? Number(value) : value;
  }
}
