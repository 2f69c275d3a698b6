import { badRequest } from "../../core/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Store } from "../../store/store.ts";

/** An account as answers show it in place of its id: nothing secret, nothing private. */
interface ShownAccount extends JsonObject {
  _id: string;
  username: string;
  firstname?: string;
  provenance?: string;
  inactive?: boolean;
}

/** Accounts that one answer names in full, at most. */
const mostAccounts = 500;

const shownMembers = { _id: 1, username: 1, firstname: 1, provenance: 1, inactive: 1 } as const;

/** What clients ask to expand → the paths of the members that hold account ids or usernames. */
const expandablePaths: Readonly<Record<string, readonly string[]>> = {
  created_by: ["created_by"],
  last_updated_by: ["last_updated_by"],
  user: ["metrics.user"],
  "metrics.user": ["metrics.user"],
  owner: ["metrics.owner"],
  "metrics.owner": ["metrics.owner"],
  watchers: ["watchers"],
};

/** The paths that are to be expanded; BAD_REQUEST at its place names the first that cannot be. */
export function pathsToExpand(names: readonly string[], placeOf: (index: number) => string): readonly string[] {
  return names.flatMap((name, index) => {
    const paths = Object.hasOwn(expandablePaths, name) ? expandablePaths[name] : undefined;
    if (paths) return paths;
    const message = `cannot be expanded; what can is ${Object.keys(expandablePaths).join(", ")}`;
    const path = placeOf(index);
    throw badRequest(`"${name}" ${message} (at ${path})`, [{ path, message }]);
  });
}

/**
 * The documents with accounts in place of account ids and usernames, at these paths. One look at the accounts, for
 * at most 500 of them; what names no account stays.
 */
export async function expandAccounts(
  store: Store,
  documents: readonly JsonObject[],
  paths: readonly string[],
): Promise<JsonObject[]> {
  const names = new Set<string>();
  const collect = (value: Json): Json => {
    if (typeof value === "string" && value !== "") names.add(value);
    return value;
  };
  for (const document of documents) changeAll(document, paths, collect);
  if (names.size === 0) return [...documents];
  const wanted = [...names].slice(0, mostAccounts);
  const accounts = await store.find<ShownAccount>(
    "accounts",
    { $or: [{ _id: { $in: wanted } }, { username: { $in: wanted } }] },
    { fields: shownMembers },
  );
  const byName = new Map(accounts.flatMap((account) => [[account.username, account] as const]));
  for (const account of accounts) byName.set(account._id, account);
  const shown = (value: Json): Json => (typeof value === "string" ? (byName.get(value) ?? value) : value);
  return documents.map((document) => changeAll(document, paths, shown));
}

function changeAll(document: JsonObject, paths: readonly string[], change: (value: Json) => Json): JsonObject {
  let changed = document;
  for (const path of paths) changed = changeAt(changed, path.split("."), change);
  return changed;
}

function changeAt(
  object: JsonObject,
  [name = "", ...rest]: readonly string[],
  change: (value: Json) => Json,
): JsonObject {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (value === undefined) return object;
  if (rest.length > 0) return isJsonObject(value) ? { ...object, [name]: changeAt(value, rest, change) } : object;
  return { ...object, [name]: Array.isArray(value) ? value.map(change) : change(value) };
}
