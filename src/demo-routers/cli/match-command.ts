import type { CliCommand, CliMode } from "./cli-command.ts";

export type CommandMatch =
  | { kind: "found"; command: CliCommand; args: string[] }
  | { kind: "unknown" | "ambiguous" | "incomplete" };

/** Finds the command a line means. Every word may be shortened as long as it stays unambiguous. */
export function matchCommand(commands: readonly CliCommand[], mode: CliMode, line: string): CommandMatch {
  const typed = line.trim().split(/\s+/);
  let candidates = commands.filter((command) => command.modes.includes(mode));
  for (const [index, word] of typed.entries()) {
    const fitting = narrow(candidates, index, word);
    if (fitting.length === 0) return { kind: "unknown" };
    if (isAmbiguous(fitting, index)) return { kind: "ambiguous" };
    candidates = fitting;
  }
  const complete = candidates.find((command) => isComplete(command, typed.length));
  return complete ? { kind: "found", command: complete, args: argumentsOf(complete, line) } : { kind: "incomplete" };
}

/** What may follow the words typed so far: pairs of word and help. */
export function nextWords(
  commands: readonly CliCommand[],
  mode: CliMode,
  line: string,
): [word: string, help: string][] {
  const typed = line.trimStart().split(/\s+/);
  const last = typed.pop() ?? "";
  let candidates = commands.filter((command) => command.modes.includes(mode));
  for (const [index, word] of typed.entries()) candidates = narrow(candidates, index, word);
  const words = new Map<string, string>();
  for (const command of candidates) {
    const word = wordAt(command, typed.length) ?? (last === "" ? "<cr>" : undefined);
    if (word === undefined || words.has(word) || !(isArgument(word) || word === "<cr>" || word.startsWith(last)))
      continue;
    words.set(word, command.help);
  }
  return [...words];
}

function narrow(candidates: readonly CliCommand[], index: number, word: string): CliCommand[] {
  const literal = candidates.filter((command) => {
    const expected = wordAt(command, index);
    return expected !== undefined && !isArgument(expected) && expected.startsWith(word.toLowerCase());
  });
  const exact = literal.filter((command) => wordAt(command, index) === word.toLowerCase());
  if (exact.length > 0) return exact;
  return literal.length > 0 ? literal : candidates.filter((command) => isArgument(wordAt(command, index) ?? ""));
}

function isAmbiguous(candidates: readonly CliCommand[], index: number): boolean {
  return new Set(candidates.map((command) => wordAt(command, index))).size > 1;
}

function isComplete(command: CliCommand, typedWords: number): boolean {
  const words = command.words.split(" ");
  return words.length === typedWords || (words.at(-1) === "<text>" && typedWords >= words.length);
}

function argumentsOf(command: CliCommand, line: string): string[] {
  const typed = line.trim();
  const pieces = typed.split(/\s+/);
  return command.words.split(" ").flatMap((word, index) => {
    if (word === "<text>") return [afterWords(typed, index)];
    return isArgument(word) ? [pieces[index] ?? ""] : [];
  });
}

function afterWords(line: string, count: number): string {
  let rest = line;
  for (let index = 0; index < count; index++) rest = rest.replace(/^\S+\s*/, "");
  return rest;
}

function wordAt(command: CliCommand, index: number): string | undefined {
  const words = command.words.split(" ");
  return words.at(-1) === "<text>" && index >= words.length ? "<text>" : words[index];
}

function isArgument(word: string): boolean {
  return word.startsWith("<");
}
