import type { Application } from "../core/application.ts";
import { fieldDeviceOperations } from "./field-operations.ts";
import { inventoryOperations } from "./inventory-operations.ts";
import { jinjaOperations } from "./jinja-operations.ts";
import type { DeviceServices } from "./services.ts";

/**
 * Devices: the built-in inventory and the field's look-ups over it. Carries the field's name of the
 * application, so that roles and tasks (`ConfigurationManager.isAlive`) are found under it.
 */
export const devices: Application<DeviceServices> = {
  id: "ConfigurationManager",
  name: "Devices",
  summary: "The inventory of devices and whether they answer.",
  operations: [...inventoryOperations, ...fieldDeviceOperations, ...jinjaOperations],
};
