import { createCommandTemplates } from "./command-templates/index.ts";
import type { Clock } from "./core/clock.ts";
import type { Identifiers } from "./core/identifiers.ts";
import type { Logger } from "./core/logger.ts";
import { createRegexRunner } from "./core/regex-runner.ts";
import type { SecretBox } from "./core/secret-box.ts";
import { createDeviceBroker, createHostKeys, createInventory } from "./device-broker/index.ts";
import type { Store } from "./store/index.ts";

interface DeviceBasics {
  store: Store;
  clock: Clock;
  identifiers: Identifiers;
  logger: Logger;
  secretBox: SecretBox;
}

// A pattern of a rule may take five seconds on one output (templates-gateway-forms.md §1.3).
const ruleDeadlineMs = 5_000;

/** Services of the applications that reach devices, by application. */
export function createDeviceServices({ store, clock, identifiers, logger, secretBox }: DeviceBasics) {
  const inventory = createInventory({ store, secretBox, clock, identifiers });
  const hostKeys = createHostKeys(store, clock);
  const broker = createDeviceBroker({ inventory, hostKeys, clock, logger });
  const regexRunner = createRegexRunner({ deadlineMs: ruleDeadlineMs, size: 2, clock });
  const commandTemplates = createCommandTemplates({ store, inventory, broker, regexRunner, clock, logger });
  return {
    inventory,
    byApplication: { ConfigurationManager: { inventory, broker, hostKeys }, MOP: commandTemplates },
    async close() {
      await broker.close();
      await regexRunner.close();
    },
  };
}
