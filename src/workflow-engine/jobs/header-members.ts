import { refuseMember, refuseMembersOfList } from "../../core/internal-members.ts";
import type { ListSelection } from "../../core/list-query.ts";

/** Members of headers and rows that lists are counted and restricted by. No answer carries them, no request names them. */
const internalMembers: ReadonlySet<string> = new Set(["access", "participants"]);

type Fields = Readonly<Record<string, 0 | 1>>;

/** BAD_REQUEST at `place` (a JSON pointer of the request) when a dotted path leads to a member that only the platform knows. */
export function refuseInternalMember(path: string, place: string): void {
  refuseMember(internalMembers, path, place);
}

/** The selection without members that only the platform knows; BAD_REQUEST when it names one. */
export function shownMembers(selection: ListSelection): ListSelection {
  refuseMembersOfList(internalMembers, selection);
  return { ...selection, fields: shownFields(selection.fields) };
}

/** The fields to read so that an answer has those wanted, and none that only the platform knows. */
export function shownFields(fields: Fields | undefined): Fields {
  if (fields && isInclusion(fields)) return fields;
  const hidden = Object.fromEntries([...internalMembers].map((member) => [member, 0] as const));
  return { ...fields, ...hidden };
}

/** Do the fields name what to keep (true), or what to leave out? The rule of the store's projections. */
export function isInclusion({ _id, ...others }: Fields): boolean {
  const values = Object.values(others);
  return values.length === 0 ? _id === 1 : values.includes(1);
}
