import type { Clock } from "../../core/clock.ts";
import type { Platform } from "../platforms.ts";
import { doubtMs, judgeTail, promptLineBeforeLogs, type Tail, type Verdict } from "./judge-tail.ts";
import { learnPrompt, type Prompt } from "./prompt.ts";
import { cleanTerminalText, squash } from "./terminal-text.ts";
import { extractOutput, linesThroughEcho } from "./transcript.ts";

/** Where a command went wrong while the device was still connected. */
export type ReadingProblem =
  | { kind: "timeout"; timeoutMs: number }
  | { kind: "tooLarge"; limitCharacters: number }
  | { kind: "question"; text: string };

/** A command did not come to its end; the state of the shell is unknown after it. */
export class ReadingError extends Error {
  override readonly name = "ReadingError";
  readonly problem: ReadingProblem;

  constructor(problem: ReadingProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}

export interface ReadingSettings {
  clock: Clock;
  platform: Platform;
  write(text: string): void;
  /** Calls back after the input that has already arrived: `setImmediate`. */
  defer(callback: () => void): void;
  /** Most characters one command may answer. */
  limitCharacters: number;
}

export interface ReadingRequest {
  /** The first is sent at once; each further one when the prompt is back or the device asks. */
  lines: readonly string[];
  /** The further lines are answers only: they are dropped when the prompt comes back first. */
  isAnswersOnly?: boolean;
  timeoutMs: number;
  /** Does the device show what is typed? Unknown until seen. */
  hasEcho: boolean;
}

export interface ReadingResult {
  output: string;
  /** As it was, or learned anew when the device was renamed meanwhile. */
  prompt: Prompt;
  /** The prompt as it stands now. */
  shown: string;
  isEchoSeen: boolean;
}

const recentLength = 4_096;
/** An answer that came in few pieces and at once is taken as whole; otherwise its rhythm decides how long a silence must be. */
const atOnce = { pieces: 8, spanMs: 20 } as const;
const settleLimitsMs = { least: 5, most: 250 } as const;

/** Sends a command and reads until the prompt is back. */
export class CommandReading {
  readonly result: Promise<ReadingResult>;
  readonly #request: ReadingRequest;
  readonly #settings: ReadingSettings;
  readonly #chunks: string[] = [];
  #prompt: Prompt;
  #size = 0;
  #recent = "";
  #nextLine = 0;
  #isEchoSeen = false;
  #hasPages = false;
  #isChecking = false;
  #isOver = false;
  #rhythm: Rhythm;
  #stopDoubt = (): void => undefined;
  #stopTimeout: () => void;
  #settle!: { resolve(result: ReadingResult): void; reject(error: Error): void };

  constructor(prompt: Prompt, request: ReadingRequest, settings: ReadingSettings) {
    this.#prompt = prompt;
    this.#request = request;
    this.#settings = settings;
    this.#rhythm = newRhythm(settings.clock.now());
    this.result = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
    const timeout: ReadingProblem = { kind: "timeout", timeoutMs: request.timeoutMs };
    this.#stopTimeout = settings.clock.after(request.timeoutMs, () => this.cancel(new ReadingError(timeout)));
    this.#send(false);
  }

  /** Takes what the device sent. */
  feed(chunk: string): void {
    if (this.#isOver) return;
    this.#stopDoubt();
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const { limitCharacters, clock, defer } = this.#settings;
    if (this.#size > limitCharacters) return this.cancel(new ReadingError({ kind: "tooLarge", limitCharacters }));
    this.#lookForEcho(this.#recent + chunk);
    this.#recent = (this.#recent + chunk).slice(-recentLength);
    this.#rhythm = beat(this.#rhythm, clock.now());
    if (this.#isChecking) return;
    this.#isChecking = true;
    defer(() => this.#check());
  }

  /** Ends the reading with an error. */
  cancel(error: Error): void {
    if (this.#isOver) return;
    this.#end();
    this.#settle.reject(error);
  }

  #send(isAnswer: boolean): void {
    const line = this.#request.lines[this.#nextLine++] ?? "";
    this.#isEchoSeen = isAnswer || !this.#request.hasEcho || line.trim() === "";
    this.#recent = "";
    this.#rhythm = newRhythm(this.#settings.clock.now());
    this.#settings.write(`${line}\n`);
  }

  #sentLine(): string {
    return this.#request.lines[this.#nextLine - 1] ?? "";
  }

  #lookForEcho(seen: string): void {
    if (this.#isEchoSeen) return;
    this.#isEchoSeen = linesThroughEcho(cleanTerminalText(seen).split("\n"), this.#sentLine(), this.#prompt) > 0;
    // Devices echo key by key; only the rhythm of the answer counts.
    if (this.#isEchoSeen) this.#rhythm = newRhythm(this.#settings.clock.now());
  }

  #check(): void {
    this.#isChecking = false;
    if (this.#isOver) return;
    this.#stopDoubt();
    const tail = this.#tail();
    const verdict = judgeTail(tail, this.#prompt, this.#settings.platform);
    if (verdict.kind === "open") return;
    const isAskedAgain = verdict.kind === "question" && this.#request.isAnswersOnly;
    const waitMs = isAskedAgain ? doubtMs.askedAgain : verdict.waitMs;
    if (waitMs === 0) this.#act(verdict, tail);
    else this.#stopDoubt = this.#afterSilence(waitMs, () => this.#act(verdict, tail));
  }

  /** Calls back when nothing came for so long. A pause of this process is no silence: what came meanwhile is read first. */
  #afterSilence(waitMs: number, callback: () => void): () => void {
    const { clock, defer } = this.#settings;
    let isBroken = false;
    const stop = clock.after(waitMs, () => defer(() => isBroken || callback()));
    return () => {
      isBroken = true;
      stop();
    };
  }

  #tail(): Tail {
    const finishedLines = cleanTerminalText(this.#recent).split("\n");
    const line = finishedLines.pop() ?? "";
    return {
      line,
      finishedLines,
      isEchoSeen: this.#isEchoSeen,
      isEcho: line !== "" && squash(line) === squash(this.#sentLine()),
      hasLinesLeft: this.#nextLine < this.#request.lines.length,
      settleMs: settleTime(this.#rhythm),
    };
  }

  #act(verdict: Verdict, tail: Tail): void {
    if (this.#isOver) return;
    if (verdict.kind === "page") this.#turnPage(verdict.answer);
    else if (verdict.kind === "answer") this.#send(true);
    else if (verdict.kind === "question") {
      this.cancel(new ReadingError({ kind: "question", text: tail.line.trim().slice(-200) }));
    } else this.#atPrompt(tail);
  }

  #atPrompt(tail: Tail): void {
    const shown = promptShown(tail, this.#prompt);
    if (!this.#prompt.pattern.test(shown)) this.#prompt = learnPrompt(shown, this.#settings.platform);
    if (tail.hasLinesLeft && !this.#request.isAnswersOnly) this.#send(false);
    else this.#finish(shown);
  }

  #turnPage(answer: string): void {
    this.#hasPages = true;
    this.#recent = this.#recent.slice(0, this.#recent.lastIndexOf("\n") + 1);
    this.#rhythm = newRhythm(this.#settings.clock.now());
    this.#settings.write(answer);
  }

  #finish(shown: string): void {
    this.#end();
    const raw = this.#chunks.join("");
    const command = this.#request.lines[0] ?? "";
    const { platform } = this.#settings;
    const output = extractOutput({ raw, command, prompt: this.#prompt, platform, hasPages: this.#hasPages });
    this.#settle.resolve({ output, prompt: this.#prompt, shown, isEchoSeen: this.#isEchoSeen });
  }

  #end(): void {
    this.#isOver = true;
    this.#stopDoubt();
    this.#stopTimeout();
  }
}

/** The prompt line itself, also where log messages stand after it. */
function promptShown(tail: Tail, prompt: Prompt): string {
  const lines = [...tail.finishedLines, tail.line];
  const loggedOver = promptLineBeforeLogs(lines, prompt);
  if (loggedOver === undefined) return tail.line.trim();
  return prompt.start.exec(lines[loggedOver] ?? "")?.[0].trim() ?? prompt.text;
}

interface Rhythm {
  pieces: number;
  firstAt: number;
  lastAt: number;
  longestGapMs: number;
}

function newRhythm(now: number): Rhythm {
  return { pieces: 0, firstAt: now, lastAt: now, longestGapMs: 0 };
}

function beat(rhythm: Rhythm, now: number): Rhythm {
  if (rhythm.pieces === 0) return { pieces: 1, firstAt: now, lastAt: now, longestGapMs: 0 };
  return {
    ...rhythm,
    pieces: rhythm.pieces + 1,
    lastAt: now,
    longestGapMs: Math.max(rhythm.longestGapMs, now - rhythm.lastAt),
  };
}

function settleTime(rhythm: Rhythm): number {
  if (rhythm.pieces <= atOnce.pieces && rhythm.lastAt - rhythm.firstAt < atOnce.spanMs) return 0;
  return Math.min(settleLimitsMs.most, Math.max(settleLimitsMs.least, rhythm.longestGapMs * 4));
}
