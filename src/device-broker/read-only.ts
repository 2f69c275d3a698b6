/** Words that only read, with the fewest letters by which devices know them. */
const readingWords: readonly (readonly [word: string, least: number])[] = [
  ["show", 2],
  ["display", 3],
  ["dir", 3],
  ["more", 3],
  ["verify", 3],
  ["ping", 2],
  ["traceroute", 3],
  ["who", 3],
  ["exit", 2],
  ["quit", 1],
];

// Output that goes into a file, or a second command behind the first.
const writingPart = /[>;&`\n]|\|\s*(?:redirect|tee|append|save|copy|sh\b|bash\b|vsh\b)|\$\(/i;

/** Does this command only read, as far as can be told from its text? */
export function isReadingCommand(command: string): boolean {
  const text = command.trim().toLowerCase();
  if (text === "") return true;
  const first = /^[a-z]+/.exec(text)?.[0] ?? "";
  return (
    !writingPart.test(text) && readingWords.some(([word, least]) => first.length >= least && word.startsWith(first))
  );
}
