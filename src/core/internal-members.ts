import { badRequest } from "./errors.ts";
import type { ListSelection } from "./list-query.ts";

/** BAD_REQUEST at `place` (a JSON pointer of the request) when a dotted path leads to one of the members that only the platform knows. */
export function refuseMember(internal: ReadonlySet<string>, path: string, place: string): void {
  const [root = ""] = path.split(".", 1);
  if (!internal.has(root)) return;
  throw badRequest(`There is no member ${root} (at ${place})`, [{ path: place, message: "names an unknown member" }]);
}

/** BAD_REQUEST when a list is to be filtered, sorted or reduced by such a member. */
export function refuseMembersOfList(internal: ReadonlySet<string>, { conditions, sort, fields }: ListSelection): void {
  const named = [...conditions.map(({ field }) => field), ...Object.keys(sort), ...Object.keys(fields ?? {})];
  for (const field of named) refuseMember(internal, field, "/query");
}
