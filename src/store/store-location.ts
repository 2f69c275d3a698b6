import { join } from "node:path";

/** Where a store is: a SQLite file, or a PostgreSQL database by its URL. */
export type StoreLocation = { kind: "sqlite"; file: string } | { kind: "postgres"; url: string };

/** The settings of a node that say where its store is. */
export interface StoreConfiguration {
  dataDir: string;
  /** PostgreSQL; undefined: the embedded store in the data folder. */
  databaseUrl: string | undefined;
}

/** The store that a configuration names. */
export function configuredLocation({ dataDir, databaseUrl }: StoreConfiguration): StoreLocation {
  return databaseUrl === undefined
    ? { kind: "sqlite", file: join(dataDir, "linewright.db") }
    : { kind: "postgres", url: databaseUrl };
}

/** A location as people write it: a `postgres://` or `postgresql://` URL, otherwise the path of a SQLite file. */
export function parseLocation(text: string): StoreLocation {
  return /^postgres(?:ql)?:\/\//iu.test(text) ? { kind: "postgres", url: text } : { kind: "sqlite", file: text };
}

/** A location as it may be shown: without password. */
export function describeLocation(location: StoreLocation): string {
  return location.kind === "sqlite" ? location.file : maskedUrl(location.url);
}

function maskedUrl(text: string): string {
  // What cannot be read may hold a password anywhere.
  if (!URL.canParse(text)) return "postgres://…";
  const url = new URL(text);
  if (url.password !== "") url.password = "***";
  for (const name of url.searchParams.keys()) {
    if (/pass/iu.test(name)) url.searchParams.set(name, "***");
  }
  return url.href;
}
