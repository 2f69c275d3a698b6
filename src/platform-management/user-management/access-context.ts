import type { Clock } from "../../core/clock.ts";
import { conflict } from "../../core/errors.ts";
import type { Identifiers } from "../../core/identifiers.ts";
import type { Logger } from "../../core/logger.ts";
import { DuplicateKeyError, type Store, type Write } from "../../store/store.ts";
import type { AccessDirectory } from "./access-directory.ts";
import type { PasswordHasher } from "./password-hasher.ts";
import type { PermissionCatalog } from "./permission-catalog.ts";

/** What the services of accounts, groups and roles work with. */
export interface AccessContext {
  store: Store;
  clock: Clock;
  identifiers: Identifiers;
  logger: Logger;
  passwordHasher: PasswordHasher;
  directory: AccessDirectory;
  catalog: PermissionCatalog;
}

/** Current time as documents of accounts, groups and roles carry it. */
export function nowText({ clock }: Pick<AccessContext, "clock">): string {
  return new Date(clock.now()).toISOString();
}

/** Commits; a taken unique name is the 409 that clients look for in the text. */
export async function commitUnique(store: Store, writes: readonly Write[], name: string): Promise<void> {
  try {
    await store.commit(writes);
  } catch (error) {
    if (error instanceof DuplicateKeyError) throw conflict(`${name} already exists!`);
    throw error;
  }
}
