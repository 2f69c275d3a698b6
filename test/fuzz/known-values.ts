import { isContainer } from "./mutate.ts";

/** Identifiers and names of objects that exist, by the members they were seen in. */
export interface KnownValues {
  /** What a member or parameter of this name may be given. */
  find(name: string): readonly string[];
  /** Remembers the texts of a reply. */
  learn(reply: unknown): void;
  /** A copy that learns by itself. */
  fork(): KnownValues;
}

/** Members that tell of somebody else than the object itself: the administrator is to stay. */
const foreign = /createdBy|lastUpdatedBy|initiator|owner|members|accessControl|assigned|inherited/u;
const mostPerName = 30;

/** `kept`: values that are never learned. */
export function createKnownValues(
  kept: ReadonlySet<string>,
  from: ReadonlyMap<string, readonly string[]> = new Map(),
): KnownValues {
  const byName = new Map([...from].map(([name, values]) => [name, [...values]]));
  const add = (name: string, value: string): void => {
    const values = byName.get(name) ?? [];
    byName.set(name, values);
    if (!kept.has(value) && value.length < 200 && values.length < mostPerName && !values.includes(value))
      values.push(value);
  };
  return {
    find: (name) => byName.get(name) ?? byName.get(kindOf(name)) ?? [],
    learn(reply) {
      const open: unknown[] = [reply];
      // Grows while it is walked.
      for (const value of open) {
        if (!isContainer(value)) continue;
        for (const [name, member] of Object.entries(value)) {
          if (foreign.test(name) || open.length > 500) continue;
          if (typeof member === "string") add(name, member);
          else open.push(member);
        }
      }
    },
    fork: () => createKnownValues(kept, byName),
  };
}

/** `projectId`, `job_id` and the like name an `_id`; `device`, `workflow` and the like a `name`. */
function kindOf(name: string): string {
  if (/(?:id|job_data)$/iu.test(name)) return "_id";
  return /name$|^(?:device|workflow|template|substring|mopID)s?$/iu.test(name) ? "name" : "";
}
