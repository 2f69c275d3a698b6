import type { Clock } from "../core/clock.ts";
import { silentLogger, type Logger } from "../core/logger.ts";
import type { DeviceBroker, Inventory } from "../device-broker/index.ts";
import type { Store } from "../store/store.ts";
import type { RuleRegexes } from "./comparison.ts";
import { defaultRunLimits, type RunLimits, type RunParts } from "./run-commands.ts";
import { createTemplateStore, type TemplateStore } from "./template-store.ts";

/** What the operations of command templates work on. */
export interface CommandTemplateServices {
  templates: TemplateStore;
  inventory: Inventory;
  broker: DeviceBroker;
  run: RunParts;
}

export interface CommandTemplateParts {
  store: Store;
  inventory: Inventory;
  broker: DeviceBroker;
  /** Runs the patterns of rules: `createRegexRunner`. */
  regexRunner: RuleRegexes;
  clock: Clock;
  logger?: Logger;
  limits?: Partial<RunLimits>;
}

export function createCommandTemplates(parts: CommandTemplateParts): CommandTemplateServices {
  const { store, inventory, broker, regexRunner, clock, logger = silentLogger } = parts;
  return {
    templates: createTemplateStore(store, clock),
    inventory,
    broker,
    run: { broker, regexRunner, clock, logger, limits: { ...defaultRunLimits, ...parts.limits } },
  };
}
