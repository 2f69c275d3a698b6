import type { Platform } from "../platforms.ts";
import type { Prompt } from "./prompt.ts";

/** The end of what a device has sent so far. */
export interface Tail {
  /** The last, unfinished line; empty when the last character was a line end. */
  line: string;
  /** The finished lines before it that are still at hand, newest last. */
  finishedLines: readonly string[];
  /** Was the line that was sent seen again (or is there no echo to wait for)? */
  isEchoSeen: boolean;
  /** Is the unfinished line nothing but that echo? */
  isEcho: boolean;
  /** Are there further lines to send? */
  hasLinesLeft: boolean;
  /** How long the end must stand unchanged before a prompt is believed. */
  settleMs: number;
}

/** What the end of the output means, once it has stood unchanged for `waitMs`. */
export type Verdict =
  | { kind: "prompt"; waitMs: number }
  | { kind: "page"; answer: string; waitMs: number }
  | { kind: "answer"; waitMs: number }
  | { kind: "question"; waitMs: number }
  | { kind: "open" };

/** Waiting times for ends that are not certain. */
export const doubtMs = {
  /** The prompt is there, but the command was not seen as echo. */
  unechoed: 1_000,
  /** The shape of a prompt, but not the one that was learned: the device was renamed. */
  strangePrompt: 1_000,
  /** The prompt, and after it nothing but log messages. */
  loggedOver: 250,
  /** A question, and an answer is at hand. */
  answer: 20,
  /** An unfinished line that is no known question, and an answer is at hand. */
  unknownQuestion: 2_000,
  /** A question, and nobody to answer it. */
  unanswered: 3_000,
  /** A question again after all answers of the broker itself were given. */
  askedAgain: 250,
} as const;

const pagers: readonly { pattern: RegExp; answer: string }[] = [
  { pattern: /(?:^|\s)-{2,3} ?\(?more\)?[^\n]{0,20}-{2,3} ?$/i, answer: " " },
  { pattern: /^<-{2,3} ?more ?-{2,3}> ?$/i, answer: " " },
  { pattern: /^-{3}\(more(?: \d{1,3}%)?\)-{3} ?$/i, answer: " " },
  { pattern: /press (?:any key|space|<space>|enter|return) to continue[^\n]{0,40}$/i, answer: " " },
  { pattern: /^(?:lines \d+-\d+(?:\/\d+)?(?: \(END\))?(?: \d+%)?|\(END\))$/, answer: "q" },
];

/** A device that waits for a person: `[confirm]`, `(y/n)`, `[yes/no]:`, `Password:`, `… ?`, `… [default]:` */
const question =
  /(?:\[confirm\]|[[(](?:y|yes)[/,|](?:n|no)(?:[/,|]\w{1,10})?[\])]\s{0,2}(?:[[(]\w{1,10}[\])])?|\?\s?(?:[[(][^\])]{0,60}[\])])?|\][:?]|(?:password|passphrase|passcode|username|login)[^\n:]{0,40}:)\s?[:?]?\s?$/i;
const continuation = /^enter .{0,80}\b(?:end|terminate|finish)\b/i;

const logMessage =
  /%[A-Z][A-Z0-9_-]{1,40}-(?:[A-Z0-9_]{1,30}-)?[0-7]-[A-Z0-9_]{2,60}:|^\*?[A-Z][a-z]{2} {1,2}\d{1,2} (?:\d{4} )?\d\d:\d\d:\d\d(?:\.\d+)?[ :]|^\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d\S{0,12} [A-Z]/;

/** Decides what the end of the output means. Spec: what-users-ask.md 39. */
export function judgeTail(tail: Tail, prompt: Prompt, platform: Platform): Verdict {
  if (tail.line === "") return judgeFinished(tail, prompt);
  if (prompt.pattern.test(tail.line))
    return { kind: "prompt", waitMs: tail.isEchoSeen ? tail.settleMs : doubtMs.unechoed };
  const pager = pagers.find(({ pattern }) => pattern.test(tail.line));
  if (pager) return { kind: "page", answer: pager.answer, waitMs: tail.settleMs };
  if (platform.prompt.test(tail.line)) return { kind: "prompt", waitMs: doubtMs.strangePrompt };
  if (isLoggedOver(tail, prompt)) return { kind: "prompt", waitMs: doubtMs.loggedOver };
  return judgeQuestion(tail);
}

/** Is this line a message of the device's log? */
export function isLogMessage(line: string): boolean {
  return logMessage.test(line);
}

/** Is this line the remains of a pager that was not wiped from the screen? */
export function isPager(line: string): boolean {
  return pagers.some(({ pattern }) => pattern.test(line));
}

function judgeFinished(tail: Tail, prompt: Prompt): Verdict {
  if (isLoggedOver(tail, prompt)) return { kind: "prompt", waitMs: doubtMs.loggedOver };
  const last = tail.finishedLines.at(-1) ?? "";
  return tail.hasLinesLeft && continuation.test(last) ? { kind: "answer", waitMs: doubtMs.answer } : { kind: "open" };
}

function judgeQuestion(tail: Tail): Verdict {
  if (tail.isEcho) return { kind: "open" };
  if (question.test(tail.line)) {
    if (!tail.hasLinesLeft) return { kind: "question", waitMs: doubtMs.unanswered };
    return { kind: "answer", waitMs: Math.max(tail.settleMs, doubtMs.answer) };
  }
  return tail.hasLinesLeft && tail.isEchoSeen ? { kind: "answer", waitMs: doubtMs.unknownQuestion } : { kind: "open" };
}

/** True when a prompt line is followed by log messages only: many devices do not show the prompt again after one. */
function isLoggedOver(tail: Tail, prompt: Prompt): boolean {
  const lines = tail.line === "" ? tail.finishedLines : [...tail.finishedLines, tail.line];
  const at = promptLineBeforeLogs(lines, prompt);
  return at !== undefined && tail.isEchoSeen;
}

/** Index of the prompt line after which only log messages stand, if it is so. */
export function promptLineBeforeLogs(lines: readonly string[], prompt: Prompt): number | undefined {
  let logs = 0;
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index] ?? "";
    if (prompt.pattern.test(line)) return logs > 0 ? index : undefined;
    const afterPrompt = line.replace(prompt.start, "");
    if (afterPrompt !== line && logMessage.test(afterPrompt.trimStart())) return index;
    if (line === "") continue;
    if (!logMessage.test(line)) return undefined;
    logs++;
  }
  return undefined;
}
