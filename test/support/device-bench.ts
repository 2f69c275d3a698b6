import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemCaller } from "../../src/core/caller.ts";
import { createSystemClock, type Clock } from "../../src/core/clock.ts";
import { createIdentifiers } from "../../src/core/identifiers.ts";
import type { Logger } from "../../src/core/logger.ts";
import { createSecretBox, type SecretBox } from "../../src/core/secret-box.ts";
import { startDemoRouter, type DemoRouter, type DemoRouterOptions } from "../../src/demo-routers/index.ts";
import {
  createDeviceBroker,
  createHostKeys,
  createInventory,
  type BrokerLimits,
  type DeviceBroker,
  type HostKeys,
  type Inventory,
  type NewDevice,
} from "../../src/device-broker/index.ts";
import { createSqliteStore, type Store } from "../../src/store/index.ts";

/** Credentials of every demo router of the tests. */
export const routerLogin = { username: "netops", password: "correct horse" } as const;

/** An inventory with a broker, and demo routers that are in it. */
export interface DeviceBench {
  store: Store;
  secretBox: SecretBox;
  inventory: Inventory;
  hostKeys: HostKeys;
  broker: DeviceBroker;
  /** Starts a router and puts it into the inventory under its name. */
  addRouter(router: Partial<DemoRouterOptions> & { name: string }, device?: Partial<NewDevice>): Promise<DemoRouter>;
  close(): Promise<void>;
}

export interface DeviceBenchOptions {
  limits?: Partial<BrokerLimits>;
  clock?: Clock;
  logger?: Logger;
}

export async function openDeviceBench({
  limits,
  clock = createSystemClock(),
  logger,
}: DeviceBenchOptions = {}): Promise<DeviceBench> {
  const folder = mkdtempSync(join(tmpdir(), "linewright-devices-"));
  const store = await createSqliteStore({ file: join(folder, "platform.db"), thread: "inline" });
  const secretBox = createSecretBox({ current: Buffer.alloc(32, 7) });
  const inventory = createInventory({ store, secretBox, clock, identifiers: createIdentifiers(clock) });
  const hostKeys = createHostKeys(store, clock);
  const broker = createDeviceBroker({
    inventory,
    hostKeys,
    clock,
    ...(logger && { logger }),
    ...(limits && { limits }),
  });
  const routers: DemoRouter[] = [];
  return {
    store,
    secretBox,
    inventory,
    hostKeys,
    broker,
    async addRouter(router, device = {}) {
      const started = await startDemoRouter({ ...routerLogin, ...router });
      routers.push(started);
      const where = { name: router.name, host: "127.0.0.1", port: started.port, platform: "frr", enablePassword: "" };
      await inventory.create({ ...where, ...routerLogin, ...device }, systemCaller);
      return started;
    },
    async close() {
      await broker.close();
      await Promise.all(routers.map((router) => router.close()));
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
