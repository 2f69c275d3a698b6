import { Type } from "@sinclair/typebox";
import { operationOf, type Operation } from "../core/operation.ts";
import { readRoles } from "../core/roles.ts";
import { NameParams } from "../core/schemas.ts";
import { DeviceListOptions, FieldDevice, FieldDeviceList, fieldDevice, listFieldDevices } from "./device-list.ts";
import type { DeviceServices } from "./services.ts";

const operation = operationOf<DeviceServices>();

/** The field's own device look-ups, over the same inventory: spec templates-gateway-forms.md §2.3. */
export const fieldDeviceOperations: readonly Operation<DeviceServices>[] = [
  operation({
    name: "getDevicesFiltered",
    method: "POST",
    path: "/configuration_manager/devices",
    summary: "List devices by name, address, port and platform.",
    roles: readRoles,
    body: Type.Object({ options: DeviceListOptions }),
    response: FieldDeviceList,
    handle: ({ inventory }, { body }) => listFieldDevices(inventory, body.options),
  }),
  operation({
    name: "getDevice",
    method: "GET",
    path: "/configuration_manager/devices/:name",
    summary: "Show the device of this name.",
    roles: readRoles,
    params: NameParams,
    response: FieldDevice,
    task: { incoming: ["name"], outgoing: "device" },
    handle: async ({ inventory }, { params }) => fieldDevice(await inventory.read(params.name)),
  }),
  operation({
    name: "isAlive",
    method: "GET",
    path: "/configuration_manager/devices/:name/isAlive",
    aliases: [{ method: "GET", path: "/inventory/devices/:name/isAlive" }],
    summary: "Can the device be logged in to?",
    roles: readRoles,
    params: NameParams,
    response: Type.Boolean(),
    task: { incoming: ["name"], outgoing: "status" },
    handle: ({ broker }, { params }) => broker.isAlive(params.name),
  }),
];
