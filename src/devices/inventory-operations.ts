import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { badRequest, type ErrorDetail } from "../core/errors.ts";
import { operationOf, type Operation } from "../core/operation.ts";
import { readRoles, writeRoles } from "../core/roles.ts";
import { largestPage, NameParams } from "../core/schemas.ts";
import { DeviceChange, DeviceView, NewDevice, readImportedDevice } from "../device-broker/index.ts";
import type { DeviceServices } from "./services.ts";

const operation = operationOf<DeviceServices>();

const text = (description: string) => Type.Optional(Type.String({ description }));
const ListQuery = Type.Object({
  name: text("Part of the name."),
  host: text("Part of the address."),
  platform: text("Part of the platform's name."),
  group: text("Name of a group."),
  start: Type.Optional(Type.Integer({ minimum: 0, description: "How many matches to pass over." })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: largestPage, description: "Page size." })),
});

/** What clients that read a device send back with it. */
const ignoredMembers = ["_id", "created", "createdBy", "lastUpdated", "lastUpdatedBy"];

/** The inventory of devices the platform reaches by itself (decision 20). Secrets are masked in every answer (decision 21). */
export const inventoryOperations: readonly Operation<DeviceServices>[] = [
  operation({
    name: "listInventoryDevices",
    method: "GET",
    path: "/inventory/devices",
    summary: "List the devices of the inventory.",
    roles: readRoles,
    query: ListQuery,
    response: Type.Object({ results: Type.Array(DeviceView), total: Type.Integer() }),
    async handle({ inventory }, { query }) {
      const { start = 0, limit = largestPage, ...filter } = query;
      const { list, total } = await inventory.list(filter, { start, limit });
      return { results: list, total };
    },
  }),
  operation({
    name: "createInventoryDevice",
    method: "POST",
    path: "/inventory/devices",
    summary: "Add a device to the inventory.",
    roles: writeRoles,
    body: NewDevice,
    ignoredMembers,
    status: 201,
    response: DeviceView,
    handle: ({ inventory }, { body, caller }) => inventory.create(body, caller),
  }),
  operation({
    name: "importInventoryDevices",
    method: "POST",
    path: "/inventory/devices/import",
    summary: "Add or change many devices at once: all or none.",
    description:
      "Takes our own members and the attribute names of other inventories (`itential_host`, `ansible_host`, …), beside the name or below `attributes` or `variables`. Attributes nobody knows become variables.",
    roles: writeRoles,
    body: Type.Object({
      devices: Type.Array(Type.Object({ name: Type.String({ minLength: 1 }) }, { additionalProperties: true }), {
        minItems: 1,
        maxItems: 10_000,
      }),
    }),
    response: Type.Object({ created: Type.Integer(), updated: Type.Integer() }),
    handle: ({ inventory }, { body, caller }) => inventory.importDevices(body.devices.map(checkedDevice), caller),
  }),
  operation({
    name: "getInventoryDevice",
    method: "GET",
    path: "/inventory/devices/:name",
    summary: "Show one device of the inventory.",
    roles: readRoles,
    params: NameParams,
    response: DeviceView,
    handle: ({ inventory }, { params }) => inventory.read(params.name),
  }),
  operation({
    name: "updateInventoryDevice",
    method: "PUT",
    path: "/inventory/devices/:name",
    aliases: [{ method: "PATCH", path: "/inventory/devices/:name" }],
    summary: "Change a device: members that are given replace, the others stay.",
    roles: writeRoles,
    params: NameParams,
    body: DeviceChange,
    ignoredMembers,
    response: DeviceView,
    handle: ({ inventory }, { params, body, caller }) => inventory.update(params.name, body, caller),
  }),
  operation({
    name: "deleteInventoryDevice",
    method: "DELETE",
    path: "/inventory/devices/:name",
    summary: "Remove a device from the inventory.",
    roles: writeRoles,
    params: NameParams,
    response: Type.Object({ status: Type.String(), message: Type.String() }),
    async handle({ inventory }, { params }) {
      await inventory.remove(params.name);
      return { status: "OK", message: `Device ${params.name} was removed` };
    },
  }),
  operation({
    name: "forgetHostKey",
    method: "DELETE",
    path: "/inventory/devices/:name/host_key",
    summary: "Forget the key a device is known by, because the device was replaced.",
    roles: writeRoles,
    params: NameParams,
    response: Type.Object({ status: Type.String(), message: Type.String() }),
    async handle({ inventory, hostKeys }, { params }) {
      const { host, port } = await inventory.read(params.name);
      const wasKnown = await hostKeys.forget(host, port);
      return { status: "OK", message: wasKnown ? "The host key was forgotten" : "No host key was known" };
    },
  }),
];

/** An imported device that keeps to the schema; BAD_REQUEST names every offending place. */
function checkedDevice(entry: Record<string, unknown>, index: number): NewDevice {
  const device = readImportedDevice(entry);
  if (Value.Check(NewDevice, device)) return device;
  const details: ErrorDetail[] = [...Value.Errors(NewDevice, device)].map((error) => ({
    path: `/body/devices/${index}${error.path}`,
    message: error.message,
  }));
  throw badRequest(`Device ${index + 1} of the import is not valid`, details);
}
