/** A line of a comparison; `line1` and `line2` are its numbers in the two texts, counted from 1. */
export type DiffLine =
  | { type: "same"; text: string; line1: number; line2: number }
  | { type: "removed"; text: string; line1: number }
  | { type: "added"; text: string; line2: number };

/** How two texts differ, line by line. */
export interface LineDiff {
  lines: DiffLine[];
  added: number;
  removed: number;
  /** False: the texts differ too much to compare line by line; what lies between their common beginning and end stands as removed and added. */
  isExact: boolean;
}

/** More differences than this, or more work, is not worth it: nobody reads that line by line. */
const mostDifferences = 1_000;
const mostSteps = 5_000_000;

/** Compares two texts: the shortest way from one to the other (Myers, An O(ND) Difference Algorithm, 1986), within a bound of time and memory. */
export function diffLines(text1: string, text2: string): LineDiff {
  const left = linesOf(text1);
  const right = linesOf(text2);
  const start = commonStart(left, right);
  const end = commonEnd(left, right, start);
  const middle1 = left.slice(start, left.length - end);
  const middle2 = right.slice(start, right.length - end);
  const [numbers1, numbers2] = numbered(middle1, middle2);
  const exact = shortestWay(numbers1, numbers2);
  const kinds = [
    ...Array.from({ length: start }, () => "same" as const),
    ...(exact ?? wholesale(middle1.length, middle2.length)),
    ...Array.from({ length: end }, () => "same" as const),
  ];
  return { ...written(kinds, left, right), isExact: exact !== undefined };
}

type Kind = DiffLine["type"];

function linesOf(text: string): string[] {
  if (text === "") return [];
  const lines = text.split(/\r\n|\n/u);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function commonStart(left: readonly string[], right: readonly string[]): number {
  const most = Math.min(left.length, right.length);
  let length = 0;
  while (length < most && left[length] === right[length]) length += 1;
  return length;
}

function commonEnd(left: readonly string[], right: readonly string[], start: number): number {
  const most = Math.min(left.length, right.length) - start;
  let length = 0;
  while (length < most && left[left.length - 1 - length] === right[right.length - 1 - length]) length += 1;
  return length;
}

/** Equal lines get equal numbers, which are faster to compare. */
function numbered(left: readonly string[], right: readonly string[]): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>();
  const numberOf = (line: string): number => {
    const known = numbers.get(line);
    if (known !== undefined) return known;
    numbers.set(line, numbers.size);
    return numbers.size - 1;
  };
  return [Int32Array.from(left, numberOf), Int32Array.from(right, numberOf)];
}

function wholesale(removed: number, added: number): Kind[] {
  return [
    ...Array.from({ length: removed }, () => "removed" as const),
    ...Array.from({ length: added }, () => "added" as const),
  ];
}

function written(kinds: readonly Kind[], left: readonly string[], right: readonly string[]): Omit<LineDiff, "isExact"> {
  let line1 = 0;
  let line2 = 0;
  let added = 0;
  let removed = 0;
  const lines = kinds.map((type): DiffLine => {
    if (type === "added") {
      added += 1;
      line2 += 1;
      return { type, text: right[line2 - 1] ?? "", line2 };
    }
    line1 += 1;
    if (type === "same") line2 += 1;
    else removed += 1;
    const text = left[line1 - 1] ?? "";
    return type === "same" ? { type, text, line1, line2 } : { type, text, line1 };
  });
  return { lines, added, removed };
}

/** The furthest places on each diagonal before each round; `zero` is the index of diagonal 0. */
interface Search {
  rounds: Int32Array[];
  zero: number;
}

function shortestWay(left: Int32Array, right: Int32Array): Kind[] | undefined {
  const search = searchWay(left, right);
  return search && wayBack(search, left.length, right.length);
}

function searchWay(left: Int32Array, right: Int32Array): Search | undefined {
  const most = Math.min(left.length + right.length, mostDifferences);
  const zero = most + 1;
  const furthest = new Int32Array(2 * most + 3);
  const rounds: Int32Array[] = [];
  let steps = 0;
  for (let differences = 0; differences <= most && steps <= mostSteps; differences++) {
    rounds.push(furthest.slice());
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const from = isDown(furthest, zero + diagonal, diagonal, differences)
        ? at(furthest, zero + diagonal + 1)
        : at(furthest, zero + diagonal - 1) + 1;
      const x = slide(left, right, from, diagonal);
      furthest[zero + diagonal] = x;
      steps += x - from + 1;
      if (x >= left.length && x - diagonal >= right.length) return { rounds, zero };
    }
  }
  return undefined;
}

/** Does the furthest way to a diagonal come from the one above it, by an added line? */
function isDown(furthest: Int32Array, index: number, diagonal: number, differences: number): boolean {
  if (diagonal === -differences) return true;
  return diagonal !== differences && at(furthest, index - 1) < at(furthest, index + 1);
}

/** Goes on along equal lines. */
function slide(left: Int32Array, right: Int32Array, from: number, diagonal: number): number {
  let x = from;
  while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x += 1;
  return x;
}

function wayBack({ rounds, zero }: Search, length1: number, length2: number): Kind[] {
  const kinds: Kind[] = [];
  let x = length1;
  let y = length2;
  for (let differences = rounds.length - 1; differences >= 0; differences--) {
    const furthest = rounds[differences] ?? new Int32Array();
    const diagonal = x - y;
    const isAdded = isDown(furthest, zero + diagonal, diagonal, differences);
    const before = isAdded ? diagonal + 1 : diagonal - 1;
    const beforeX = differences === 0 ? 0 : at(furthest, zero + before);
    const beforeY = differences === 0 ? 0 : beforeX - before;
    for (; x > beforeX && y > beforeY; x--, y--) kinds.push("same");
    if (differences > 0) kinds.push(isAdded ? "added" : "removed");
    x = beforeX;
    y = beforeY;
  }
  return kinds.reverse();
}

function at(values: Int32Array, index: number): number {
  return values[index] ?? 0;
}
