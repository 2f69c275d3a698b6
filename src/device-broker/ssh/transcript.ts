import type { Platform } from "../platforms.ts";
import { isPager, promptLineBeforeLogs } from "./judge-tail.ts";
import type { Prompt } from "./prompt.ts";
import { cleanTerminalText, squash, withoutTrailingNewlines } from "./terminal-text.ts";

/** Between a prompt and the echo of a command a device may write log messages; further down nothing is an echo. */
const echoSearchLines = 200;

/** A command that has come to its end, as it stands on the screen. */
export interface Transcript {
  raw: string;
  /** The first line that was sent. */
  command: string;
  prompt: Prompt;
  platform: Platform;
  /** Did the device stop at pages? Their remains are removed. */
  hasPages: boolean;
}

/**
 * The output of a command: what the device sent, without the echo of the (first) line and whatever
 * stood before it, and without the prompt at the end. Prompts and echoes of further lines stay, as
 * they stand on the screen.
 */
export function extractOutput({ raw, command, prompt, platform, hasPages }: Transcript): string {
  const lines = cleanTerminalText(raw).split("\n");
  dropPrompt(lines, prompt, platform);
  const kept = lines.slice(linesThroughEcho(lines, command, prompt));
  return withoutTrailingNewlines((hasPages ? withoutPagers(kept) : kept).join("\n"));
}

/** How many lines there are up to and with the echo of `command`; 0 when there is none. Terminals may have wrapped it. */
export function linesThroughEcho(lines: readonly string[], command: string, prompt: Prompt): number {
  const wanted = squash(command);
  let wrapped = "";
  for (let index = 0; index < Math.min(lines.length, echoSearchLines); index++) {
    const line = lines[index] ?? "";
    const text = squash(line);
    if (text === wanted || squash(line.replace(prompt.start, "")) === wanted) return index + 1;
    if (text === "") continue;
    wrapped = wanted.startsWith(wrapped + text) ? wrapped + text : wanted.startsWith(text) ? text : "";
    if (wrapped === wanted) return index + 1;
  }
  return 0;
}

function dropPrompt(lines: string[], prompt: Prompt, platform: Platform): void {
  const loggedOver = promptLineBeforeLogs(lines, prompt);
  if (loggedOver === undefined) lines.pop();
  else lines.length = loggedOver;
  while (platform.trailer && lines.length > 0 && (lines.at(-1) === "" || platform.trailer.test(lines.at(-1) ?? "")))
    lines.pop();
}

function withoutPagers(lines: readonly string[]): string[] {
  return lines
    .filter((line) => !isPager(line))
    .map((line) => line.replace(/^ ?-{2,3} ?\(?more\)? ?-{2,3} {0,2}(?=\S)/i, ""));
}
