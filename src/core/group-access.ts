import type { Caller } from "./caller.ts";
import { escapeRegex } from "./escape-regex.ts";
import type { Json } from "./json.ts";

/*
 * A list of groups restricts what it stands on: jobs and manual tasks (workflow-engine.md §7.3, §7.4), workflows
 * (§1.1). With none it is open to every role that may read, otherwise to their members and to administrators.
 */

/** The group that old documents name where they mean everybody. */
const everybody = "default";

/** May the caller see what has these groups, and act on it as far as the roles go? */
export function mayAccess(groups: readonly string[], caller: Caller): boolean {
  return groups.length === 0 || caller.isAdmin || groups.some((group) => caller.groupIds.includes(group));
}

/** The groups of a list that restrict at all; none: everybody. Old documents name `default`, which stands for everybody. */
export function restrictingGroups(groups: unknown): string[] {
  // A document that was stored with errors may hold anything here.
  const listed: unknown[] = Array.isArray(groups) ? groups : [];
  return listed.filter((group): group is string => typeof group === "string" && group !== everybody);
}

/** `mayAccess` to a document that was stored with its `groups` as somebody wrote them. */
export function mayAccessDocument({ groups }: { groups?: unknown }, caller: Caller): boolean {
  return mayAccess(restrictingGroups(groups), caller);
}

/** Names as one text, the same for the same names in any order; with `hasName` it is asked for one of them. */
export function namesText(names: readonly string[]): string {
  return `\n${[...new Set(names)].sort().map(nameLine).join("\n")}\n`;
}

/** The test of a field whether its `namesText` has this name. */
export function hasName(name: string): Json {
  return { $regex: escapeRegex(`\n${nameLine(name)}\n`) };
}

/** The text of one name: without line ends of its own, so that no name can pass for two others. */
export function nameLine(name: string): string {
  return JSON.stringify(name);
}

/** `access` of a document that is open to everybody. No `namesText` is like it. */
const openText = "\n*\n";
/** `access` of a document with so many groups, or so long ones, that they are asked themselves. */
const groupsText = "\n?\n";
/** An index of PostgreSQL takes at most 2,704 bytes, together with the name of the document. */
const longestTextBytes = 1_500;

/**
 * A document as it is stored: what its `groups` say about access is also a text, the member `access`, by which lists
 * and counts find it without reading the document. A member of that name that it has already counts for nothing.
 */
export function withAccess<T extends object>(document: T): T & { access: string } {
  const groups = restrictingGroups((document as { groups?: unknown }).groups);
  const text = groups.length === 0 ? openText : namesText(groups);
  return { ...document, access: Buffer.byteLength(text) > longestTextBytes ? groupsText : text };
}

/** A stored document as it is shown: without what only the store needs. */
export function withoutAccess<T extends object>(document: T): T {
  const { access: _, ...shown } = document as T & { access?: unknown };
  return shown as T;
}

/** `mayAccessDocument` as a query on documents stored `withAccess`, or by an earlier build without; together with another one. */
export function accessibleDocuments(caller: Caller, further: Record<string, Json> = {}): Record<string, Json> {
  if (caller.isAdmin) return further;
  const callerGroups = restrictingGroups(caller.groupIds);
  const byText = [openText, ...callerGroups.map(hasName)].map((access) => ({ access }));
  // One alternative: where counts say that there are no such documents, it is left out.
  const byGroups = { access: { $in: [null, groupsText] }, ...accessibleByGroups(callerGroups) };
  return { $and: [further, { $or: [...byText, byGroups] }] };
}

function accessibleByGroups(callerGroups: string[]): Record<string, Json> {
  const isOpen = { groups: { $not: { $elemMatch: { $type: "string", $ne: everybody } } } };
  return { $or: [isOpen, { groups: { $elemMatch: { $in: callerGroups } } }] };
}
