import { Type, type Static } from "@sinclair/typebox";
import type { DeviceFilter, DeviceView, Inventory } from "../device-broker/index.ts";

const Direction = Type.Union([Type.Literal(1), Type.Literal(-1)]);

/** Options of the device list: spec templates-gateway-forms.md §2.3. */
export const DeviceListOptions = Type.Object({
  limit: Type.Integer({ minimum: 1, description: "Page size." }),
  start: Type.Optional(Type.Integer({ minimum: 0, description: "How many matches to pass over." })),
  filter: Type.Optional(
    Type.Object({
      name: Type.Optional(Type.String()),
      address: Type.Optional(Type.String()),
      port: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
      ostype: Type.Optional(Type.String()),
    }),
  ),
  sort: Type.Optional(Type.Array(Type.Record(Type.String(), Direction))),
  order: Type.Optional(
    Type.Union([Direction, Type.String()], { description: "`descending` or -1 turns the order round." }),
  ),
  adapterType: Type.Optional(Type.Array(Type.String())),
  adapterId: Type.Optional(Type.Array(Type.String())),
  exactMatch: Type.Optional(Type.Boolean({ description: "Filter texts are whole values, not parts." })),
  origins: Type.Optional(Type.Boolean()),
});
export type DeviceListOptions = Static<typeof DeviceListOptions>;

/** A device as clients of the field know it. */
export const FieldDevice = Type.Object(
  {
    name: Type.String(),
    "device-type": Type.String(),
    ostype: Type.String(),
    host: Type.String({ description: "The broker that knows the device." }),
    ipaddress: Type.String(),
    port: Type.Integer(),
    chosenAdapter: Type.String(),
    origins: Type.Array(Type.String()),
    actions: Type.Array(Type.String()),
    properties: Type.Record(Type.String(), Type.Unknown()),
  },
  { additionalProperties: true },
);
export type FieldDevice = Static<typeof FieldDevice>;

export const FieldDeviceList = Type.Object({
  entity: Type.Literal("device"),
  total: Type.Integer({ description: "All matches." }),
  totalByAdapter: Type.Record(Type.String(), Type.Integer()),
  unique_device_count: Type.Integer(),
  return_count: Type.Integer({ description: "Length of the list." }),
  start_index: Type.Integer(),
  list: Type.Array(FieldDevice),
});
export type FieldDeviceList = Static<typeof FieldDeviceList>;

/** Name of the built-in broker among the brokers. */
const builtInBroker = "inventory";

const storedAs: Readonly<Record<string, string>> = {
  name: "name",
  address: "host",
  ipaddress: "host",
  port: "port",
  ostype: "platform",
};

/** One page of the inventory in the field's form. */
export async function listFieldDevices(inventory: Inventory, options: DeviceListOptions): Promise<FieldDeviceList> {
  const { start = 0, limit } = options;
  const isOurs = [options.adapterId, options.adapterType].every(
    (wanted) => !wanted?.length || wanted.includes(builtInBroker),
  );
  const found = isOurs
    ? await inventory.list(filterOf(options), { start, limit, sort: sortOf(options) })
    : { list: [], total: 0 };
  return {
    entity: "device",
    total: found.total,
    totalByAdapter: { [builtInBroker]: found.total },
    unique_device_count: found.total,
    return_count: found.list.length,
    start_index: start,
    list: found.list.map(fieldDevice),
  };
}

/** The field's form of a device. Nothing in it is secret. */
export function fieldDevice(device: DeviceView): FieldDevice {
  return {
    name: device.name,
    "device-type": "network_cli",
    ostype: device.platform,
    host: builtInBroker,
    ipaddress: device.host,
    port: device.port,
    chosenAdapter: builtInBroker,
    origins: [builtInBroker],
    actions: ["isAlive", "runCommand"],
    properties: { description: device.description, groups: device.groups, isReadOnly: device.isReadOnly },
  };
}

function filterOf({ filter = {}, exactMatch }: DeviceListOptions): DeviceFilter {
  return {
    ...(filter.name && { name: filter.name }),
    ...(filter.address && { host: filter.address }),
    ...(filter.port !== undefined && filter.port !== "" && { port: String(filter.port) }),
    ...(filter.ostype && { platform: filter.ostype }),
    ...(exactMatch && { isExact: true }),
  };
}

function sortOf({ sort = [], order }: DeviceListOptions): Record<string, 1 | -1> {
  const turn = order === -1 || (typeof order === "string" && /^desc/i.test(order)) ? -1 : 1;
  const wanted = sort.flatMap((entry) => Object.entries(entry)).filter(([field]) => storedAs[field] !== undefined);
  const fields = wanted.length > 0 ? wanted : [["name", 1] as const];
  return Object.fromEntries(
    fields.map(([field, direction]) => [storedAs[field] ?? "name", direction === turn ? 1 : -1]),
  );
}
