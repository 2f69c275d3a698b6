/**
 * The most that a task may answer: characters of the JSON text of what it gives on and of its error. As much as the
 * body of a request (decision 7). A value is an object in memory, text for the log and a document for the store
 * at the same time, about fifteen times its text: one of 300 MB would end the node. Whoever has more streams it to the
 * store (`keep` of a task's call), which answers a handle.
 */
export const largestResult = 16 * 1024 * 1024;

/** The longest JSON text that is kept as a value in memory: what is around it in a result has room beside it. */
export const largestParsed = largestResult - 64 * 1024;

/** Characters that a value kept in the store may have, unless a setting says otherwise. */
export const defaultLargestValue = 1024 * 1024 * 1024;

/** Why a result is refused, and what to do instead. */
export const tooLargeResult = {
  message: `The result takes more than ${largestResult} characters as JSON`,
  recommendation: "Answer less of it, or keep the data where it is and answer where to find it.",
} as const;

/** Does the JSON text of the value surely have more characters than that? Looks no further than it must; escapes are not counted. */
export function isLongerThan(value: unknown, most: number): boolean {
  return roomBeyond(value, most) < 0;
}

/** What the shortest text that the value may have leaves of so many characters. */
function roomBeyond(value: unknown, room: number): number {
  if (typeof value === "string") return room - value.length - 2;
  if (typeof value !== "object" || value === null) return room - 1;
  let left = room - 1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index++) left = roomBeyond(value[index], left - 1);
    return left;
  }
  for (const name of Object.keys(value)) {
    if (left < 0) return left;
    left = roomBeyond((value as Record<string, unknown>)[name], left - name.length - 4);
  }
  return left;
}
