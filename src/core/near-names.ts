/** Names that somebody may have meant, the nearest first: those that differ by a few letters, or hold the name or are held by it. */
export function nearNames(name: string, known: readonly string[], most = 3): string[] {
  const wanted = name.toLowerCase().slice(0, longestName);
  const judged = known.map((one) => ({ one, distance: distanceOf(wanted, one.toLowerCase()) }));
  return judged
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(wanted.length / 3)))
    .toSorted((left, right) => left.distance - right.distance)
    .slice(0, most)
    .map(({ one }) => one);
}

const longestName = 100;
/** Letters that a part of a name has at least: shorter ones are found everywhere. */
const shortestPart = 3;

function distanceOf(wanted: string, one: string): number {
  const [short, long] = wanted.length < one.length ? [wanted, one] : [one, wanted];
  return short.length >= shortestPart && long.includes(short) ? 1 : editDistance(wanted, one);
}

/** How many letters are put in, left out or changed (Levenshtein). */
function editDistance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let column = 1; column <= other.length; column++) {
      const changed = (above[column - 1] ?? 0) + Number(one[row - 1] !== other[column - 1]);
      line.push(Math.min(changed, (above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1));
    }
    above = line;
  }
  return above[other.length] ?? 0;
}
