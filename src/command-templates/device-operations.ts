import { Type } from "@sinclair/typebox";
import { operationOf, type Operation } from "../core/operation.ts";
import { readRoles } from "../core/roles.ts";
import type { DeviceView } from "../device-broker/index.ts";
import type { CommandTemplateServices } from "./services.ts";

const operation = operationOf<CommandTemplateServices>();

const SubstringParams = Type.Object({ substring: Type.String({ minLength: 1 }) });

/** Device look-ups of the group, over the inventory: spec templates-gateway-forms.md §1.9. Never with credentials. */
export const deviceOperations: readonly Operation<CommandTemplateServices>[] = [
  operation({
    name: "getDevicesFiltered",
    method: "GET",
    path: "/mop/devices/:substring",
    summary: "Name the devices whose names contain a text.",
    roles: readRoles,
    params: SubstringParams,
    response: Type.Array(Type.String()),
    task: { incoming: ["substring"], outgoing: "result" },
    async handle({ inventory }, { params }) {
      return (await inventory.list({ name: params.substring })).list.map((device) => device.name);
    },
  }),
  operation({
    name: "getDevicesFilteredDetailedResults",
    method: "GET",
    path: "/mop/devices/detailed/:substring",
    summary: "Name the devices whose names contain a text, and how many there are.",
    roles: readRoles,
    params: SubstringParams,
    response: Type.Object({
      entity: Type.Literal("device"),
      total: Type.Integer({ description: "All matches." }),
      return_count: Type.Integer({ description: "Length of the list." }),
      start_index: Type.Integer(),
      list: Type.Array(Type.String()),
    }),
    async handle({ inventory }, { params }) {
      const { list, total } = await inventory.list({ name: params.substring });
      return {
        entity: "device",
        total,
        return_count: list.length,
        start_index: 0,
        list: list.map((device) => device.name),
      };
    },
  }),
  operation({
    name: "getDeviceObjectsFiltered",
    method: "POST",
    path: "/mop/deviceObjects",
    summary: "Describe the devices whose names match a filter.",
    roles: readRoles,
    body: Type.Object({
      options: Type.Object({
        start: Type.Optional(Type.Integer({ minimum: 0 })),
        limit: Type.Optional(Type.Integer({ minimum: 1 })),
        entity: Type.Optional(Type.String()),
        filter: Type.Optional(Type.String({ description: "Part of the name." })),
        sort: Type.Optional(
          Type.Array(Type.Object({ name: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(-1)])) })),
        ),
      }),
    }),
    response: Type.Array(Type.Object({ name: Type.String() }, { additionalProperties: true })),
    task: { incoming: ["options"], outgoing: "result" },
    async handle({ inventory }, { body }) {
      const { start = 0, limit = 1_000, filter, sort } = body.options;
      const page = { start, limit, sort: { name: sort?.[0]?.name ?? (1 as const) } };
      return (await inventory.list(filter ? { name: filter } : {}, page)).list.map(deviceObject);
    },
  }),
];

function deviceObject(device: DeviceView) {
  return {
    name: device.name,
    authgroup: "",
    address: device.host,
    port: device.port,
    "device-type": "network_cli",
    ned: device.platform,
    admin: device.isReadOnly ? "locked" : "unlocked",
    host: device.host,
    groups: device.groups,
  };
}
