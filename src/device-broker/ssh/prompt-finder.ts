import type { Clock } from "../../core/clock.ts";
import type { Platform } from "../platforms.ts";
import { isLogMessage } from "./judge-tail.ts";
import { cleanTerminalText } from "./terminal-text.ts";

/** Silences after which a login is believed to have come to its prompt. */
const silenceMs = {
  /** The last line has the shape of a prompt. */
  knownShape: 100,
  /** The last line is unfinished, of unknown shape: a prompt somebody made up, or a slow banner. */
  unknownShape: 1_500,
  /** No unfinished line: the device waits for a key. */
  nothing: 3_000,
} as const;

/** No prompt was found after login. */
export class NoPromptError extends Error {
  override readonly name = "NoPromptError";
}

const attempts = 6;
const recentLength = 2_048;

export interface PromptFinder {
  feed(chunk: string): void;
  cancel(error: Error): void;
  /** The prompt line; rejects when the device never shows the same line twice. */
  result: Promise<string>;
}

export interface PromptFinderSettings {
  clock: Clock;
  platform: Platform;
  write(text: string): void;
  timeoutMs: number;
}

/**
 * Finds the prompt after login: presses Enter until the same unfinished line comes twice. A banner may
 * end like a prompt, but it does not come again.
 */
export function findPrompt({ clock, platform, write, timeoutMs }: PromptFinderSettings): PromptFinder {
  let recent = "";
  let candidate = "";
  let left = attempts;
  let isOver = false;
  let stopWaiting = (): void => undefined;
  let settle: { resolve(prompt: string): void; reject(error: Error): void };
  const result = new Promise<string>((resolve, reject) => (settle = { resolve, reject }));
  const stopTimeout = clock.after(timeoutMs, () =>
    cancel(new NoPromptError(`no prompt was shown within ${timeoutMs} ms after login`)),
  );

  function end(): void {
    isOver = true;
    stopWaiting();
    stopTimeout();
  }

  function cancel(error: Error): void {
    if (isOver) return;
    end();
    settle.reject(error);
  }

  function feed(chunk: string): void {
    if (isOver) return;
    recent = (recent + chunk).slice(-recentLength);
    wait();
  }

  function wait(): void {
    stopWaiting();
    const line = lastLine();
    const delayMs =
      line === "" ? silenceMs.nothing : platform.prompt.test(line) ? silenceMs.knownShape : silenceMs.unknownShape;
    stopWaiting = clock.after(delayMs, conclude);
  }

  function conclude(): void {
    const line = lastLine();
    if (line !== "" && line === candidate) {
      end();
      return settle.resolve(line);
    }
    if (left-- === 0) return cancel(new NoPromptError("the device shows no steady prompt"));
    candidate = line;
    recent = "";
    write("\n");
    wait();
  }

  /** The unfinished line; where log messages were written over the prompt, the line before them. */
  function lastLine(): string {
    const lines = cleanTerminalText(recent)
      .split("\n")
      .map((line) => line.trim());
    const last = lines.pop() ?? "";
    if (last !== "" && !isLogMessage(last)) return last;
    const before = lines.findLast((line) => line !== "" && !isLogMessage(line)) ?? "";
    return platform.prompt.test(before) ? before : last;
  }

  wait();
  return { feed, cancel, result };
}
