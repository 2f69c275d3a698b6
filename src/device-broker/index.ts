export { createDeviceBroker } from "./device-broker.ts";
export type { DeviceBroker, RunOnDevice } from "./device-broker.ts";
export type { BrokerLimits } from "./device-session.ts";
export { readImportedDevice } from "./device-import.ts";
export { createInventory } from "./inventory.ts";
export type { Inventory } from "./inventory.ts";
export type { DeviceFilter } from "./inventory-filter.ts";
export { DeviceChange, DeviceView, NewDevice } from "./inventory-schema.ts";
export { createHostKeys, type HostKeys } from "./ssh/host-keys.ts";
