import type { Caller } from "../core/caller.ts";
import { conflict, notFound } from "../core/errors.ts";
import { readPage } from "../core/page.ts";
import { DuplicateKeyError, VersionConflictError, type Store, type Stored, type Write } from "../store/store.ts";
import { changedRecord, loginOf, newRecord, viewOf, type DeviceLogin, type RecordParts } from "./device-record.ts";
import { deviceQuery, type DeviceFilter } from "./inventory-filter.ts";
import type { DeviceChange, DeviceRecord, DeviceView, NewDevice } from "./inventory-schema.ts";

const collection = "devices";

/** Which page of the devices to list. */
export interface DevicePage {
  start?: number;
  limit?: number;
  sort?: Readonly<Record<string, 1 | -1>>;
}

/** The devices the platform reaches by itself. Answers never carry secrets, except `login`. */
export interface Inventory {
  /** CONFLICT when the name is taken, BAD_REQUEST for an unknown platform. */
  create(device: NewDevice, caller: Caller): Promise<DeviceView>;
  /** Creates or changes each device of that name. All or nothing. */
  importDevices(devices: readonly NewDevice[], caller: Caller): Promise<{ created: number; updated: number }>;
  /** NOT_FOUND for an unknown name. */
  read(name: string): Promise<DeviceView>;
  update(name: string, change: DeviceChange, caller: Caller): Promise<DeviceView>;
  remove(name: string): Promise<void>;
  list(filter: DeviceFilter, page?: DevicePage): Promise<{ list: DeviceView[]; total: number }>;
  /** Names out of the given ones that no device has. */
  missing(names: readonly string[]): Promise<string[]>;
  /** Version of a device that was logged in to: changes with every change of it; undefined when it is gone. */
  version(id: string): Promise<number | undefined>;
  /** Everything a login needs; undefined for an unknown name. */
  login(name: string): Promise<DeviceLogin | undefined>;
}

export interface InventoryParts extends RecordParts {
  store: Store;
}

/** Text of every answer about a device nobody knows: workflows of the field look for its first words. */
export function unknownDevice(names: readonly string[]): string {
  return `No provider capable of handling request: no device named ${names.map((name) => `"${name}"`).join(", ")}`;
}

/** The inventory over the collection `devices`. */
export function createInventory(parts: InventoryParts): Inventory {
  const { store } = parts;

  async function stored(name: string): Promise<Stored<DeviceRecord>> {
    const found = await store.readBy<DeviceRecord>(collection, "name", name);
    if (!found) throw notFound(unknownDevice([name]));
    return found;
  }

  return {
    importDevices: (devices, caller) => importDevices(parts, devices, caller),
    async create(device, caller) {
      const document = newRecord(parts, device, caller);
      await commit(store, [{ kind: "insert", collection, document }]);
      return viewOf(document);
    },
    read: async (name) => viewOf((await stored(name)).document),
    async update(name, change, caller) {
      const { document: before, version } = await stored(name);
      const document = changedRecord(parts, before, change, caller);
      await commit(store, [{ kind: "replace", collection, document, version }]);
      return viewOf(document);
    },
    async remove(name) {
      const { document } = await stored(name);
      await store.commit([{ kind: "remove", collection, id: document._id }]);
    },
    async list(filter, page = {}) {
      const query = deviceQuery(filter);
      const options = { sort: page.sort ?? { name: 1 as const }, skip: page.start ?? 0, limit: page.limit ?? 1_000 };
      const { results, total } = await readPage<DeviceRecord>(store, collection, query, options);
      return { list: results.map(viewOf), total };
    },
    async missing(names) {
      const wanted = [...new Set(names)];
      const found = await store.find<DeviceRecord>(collection, { name: { $in: wanted } }, { fields: { name: 1 } });
      const known = new Set(found.map((device) => device.name));
      return wanted.filter((name) => !known.has(name));
    },
    version: (id) => store.version(collection, id),
    async login(name) {
      const found = await store.readBy<DeviceRecord>(collection, "name", name);
      return found && loginOf(parts.secretBox, found);
    },
  };
}

async function commit(store: Store, writes: readonly Write[]): Promise<void> {
  try {
    await store.commit(writes);
  } catch (error) {
    if (error instanceof DuplicateKeyError) throw conflict("A device of this name exists already");
    if (error instanceof VersionConflictError)
      throw conflict("The device was changed by somebody else at the same time");
    throw error;
  }
}

async function importDevices(
  parts: InventoryParts,
  devices: readonly NewDevice[],
  caller: Caller,
): Promise<{ created: number; updated: number }> {
  const writes: Write[] = [];
  for (const device of devices) {
    const known = await parts.store.readBy<DeviceRecord>(collection, "name", device.name);
    const document = known ? changedRecord(parts, known.document, device, caller) : newRecord(parts, device, caller);
    writes.push(
      known
        ? { kind: "replace", collection, document, version: known.version }
        : { kind: "insert", collection, document },
    );
  }
  await commit(parts.store, writes);
  const updated = writes.filter((write) => write.kind === "replace").length;
  return { created: writes.length - updated, updated };
}
