import type { JinjaRenderer } from "../template-builder/index.ts";
import type { DeviceBroker, HostKeys, Inventory } from "../device-broker/index.ts";

/** What the operations of the device inventory work on. */
export interface DeviceServices {
  inventory: Inventory;
  broker: DeviceBroker;
  hostKeys: HostKeys;
  jinja: JinjaRenderer;
}
