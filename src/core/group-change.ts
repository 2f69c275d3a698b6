import type { Caller } from "./caller.ts";
import { badRequest, notFound, PlatformError } from "./errors.ts";
import { restrictingGroups } from "./group-access.ts";
import type { Json } from "./json.ts";

/** How the groups that restrict something are changed. */
export interface GroupChange {
  change: "add" | "remove" | "replace";
  groups: readonly string[];
}

/** What groups restrict, as messages name it. */
type Restricted = "job" | "workflow";

/** JSON pointer to a group of a request. */
export type PlaceOfGroup = (group: string, index: number) => string;

/** What `requireGroups` needs of a store. */
interface GroupSource {
  find<T extends object>(
    collection: string,
    query: Record<string, Json>,
    options: { fields: Record<string, 1> },
  ): Promise<T[]>;
}

/** The groups after a change, each once. */
export function changedGroups(before: readonly string[], { change, groups }: GroupChange): string[] {
  if (change === "add") return [...new Set([...before, ...groups])];
  if (change === "remove") return before.filter((group) => !groups.includes(group));
  return [...new Set(groups)];
}

/** Are they the same groups, in whatever order, and however often each? */
export function areSameGroups(before: readonly string[], after: readonly string[]): boolean {
  return after.every((group) => before.includes(group)) && before.every((group) => after.includes(group));
}

/**
 * FORBIDDEN when who is no administrator would lose access, or open to everybody what was restricted; both would be
 * easy to do by mistake and hard to undo. `mustKeep`: the groups of who asks; undefined for an administrator.
 */
export function refuseLoss(what: Restricted, after: readonly string[], mustKeep: readonly string[] | undefined): void {
  const loss = lossOf(what, after, mustKeep);
  if (loss !== undefined) throw new PlatformError("FORBIDDEN", loss);
}

/**
 * What `refuseLoss` says of a document that takes the place of another, both by their `groups` as somebody wrote them;
 * undefined where nothing is lost.
 */
export function lossOfAccess(
  what: Restricted,
  { before, after, caller }: { before: unknown; after: unknown; caller: Caller },
): string | undefined {
  const groups = restrictingGroups(after);
  if (areSameGroups(restrictingGroups(before), groups)) return undefined;
  return lossOf(what, groups, caller.isAdmin ? undefined : caller.groupIds);
}

function lossOf(
  what: Restricted,
  after: readonly string[],
  mustKeep: readonly string[] | undefined,
): string | undefined {
  if (mustKeep === undefined || after.some((group) => mustKeep.includes(group))) return undefined;
  return after.length === 0
    ? `Only an administrator may open a ${what} to everybody`
    : `You would lose access to the ${what}: keep one of your own groups`;
}

/** New groups must exist (BAD_REQUEST); those to be taken away must be among those listed (NOT_FOUND). */
export async function requirePossible(
  what: Restricted,
  { change, groups }: GroupChange,
  { source, listed }: { source: GroupSource; listed: readonly string[] },
): Promise<void> {
  if (change !== "remove") return requireGroups(source, groups, placeOfGroup[change]);
  const absent = groups.filter((group) => !listed.includes(group));
  if (absent.length > 0) throw notFound(`The ${what} is not restricted to group ${absent.join(", ")}`);
}

/** Where the request names the group of this index. */
const placeOfGroup: Readonly<Record<"add" | "replace", PlaceOfGroup>> = {
  add: () => "/body/group",
  replace: (_, index) => `/body/groups/${index}`,
};

/** BAD_REQUEST that names every group that does not exist, each at its place. */
export async function requireGroups(
  source: GroupSource,
  groups: readonly string[],
  placeOf: PlaceOfGroup,
): Promise<void> {
  if (groups.length === 0) return;
  const found = await source.find<{ _id: string }>("groups", { _id: { $in: [...groups] } }, { fields: { _id: 1 } });
  const details = groups.flatMap((group, index) =>
    found.some(({ _id }) => _id === group)
      ? []
      : [{ group, path: placeOf(group, index), message: "names a group that does not exist" }],
  );
  if (details.length === 0) return;
  throw badRequest(
    `Invalid group: ${details.map(({ group }) => group).join(", ")}`,
    details.map(({ path, message }) => ({ path, message })),
  );
}
