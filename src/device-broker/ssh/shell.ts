import type { Clock } from "../../core/clock.ts";
import type { Platform } from "../platforms.ts";
import { findPrompt } from "./prompt-finder.ts";
import { isSameMode, learnPrompt, promptMark, type Prompt } from "./prompt.ts";
import { CommandReading, ReadingError, type ReadingRequest, type ReadingResult } from "./shell-reader.ts";

/** A terminal on a device: characters in both directions. */
export interface ShellChannel {
  write(text: string): void;
  /** Set once; called for everything the device sends. */
  onData(listener: (text: string) => void): void;
  /** Called once, also when the channel is already closed. */
  onClose(listener: () => void): void;
  close(): void;
}

/** A command line on a device, ready for commands. One command at a time. */
export interface Shell {
  /** Sends a command (its further lines answer questions or follow when the prompt is back) and gives its output. */
  run(command: string, timeoutMs: number): Promise<string>;
  /** Leaves configuration mode. False when the shell is not as it was after login: it must not be used again. */
  goHome(): Promise<boolean>;
  isOpen(): boolean;
  close(): void;
}

export interface ShellSettings {
  clock: Clock;
  platform: Platform;
  defer(callback: () => void): void;
  limitCharacters: number;
  /** For the login, and for each command the shell sends by itself. */
  loginTimeoutMs: number;
  /** Present: enter privileged mode with this password (empty: none is asked). */
  enablePassword?: string;
}

/** The line was cut. `wasCommandSent`: it may or may not have been carried out. */
export class ConnectionLostError extends Error {
  override readonly name = "ConnectionLostError";
  readonly wasCommandSent: boolean;

  constructor(wasCommandSent: boolean) {
    super("the connection was lost");
    this.wasCommandSent = wasCommandSent;
  }
}

/** The device does not let this account into privileged mode. */
export class EnableRefusedError extends Error {
  override readonly name = "EnableRefusedError";
}

const refusedText = "privileged mode was refused";

interface Listener {
  feed(chunk: string): void;
  cancel(error: Error): void;
}

/** Waits for the prompt after login, turns paging off and enters privileged mode where that is asked for. */
export async function openShell(channel: ShellChannel, settings: ShellSettings): Promise<Shell> {
  const { clock, platform, loginTimeoutMs: timeoutMs } = settings;
  const line = new ShellLine(channel);
  const write = (text: string): void => channel.write(text);
  const promptLine = await line.listen(findPrompt({ clock, platform, write, timeoutMs }));
  const shell = new DeviceShell(line, settings, learnPrompt(promptLine, platform));
  await shell.prepare();
  return shell;
}

/** The channel with the one reader that listens to it at the moment. */
class ShellLine {
  readonly #channel: ShellChannel;
  #listener: Listener | undefined;
  #isOpen = true;

  constructor(channel: ShellChannel) {
    this.#channel = channel;
    channel.onData((chunk) => this.#listener?.feed(chunk));
    channel.onClose(() => {
      this.#isOpen = false;
      this.#listener?.cancel(new ConnectionLostError(true));
    });
  }

  async listen<Result>(reader: Listener & { result: Promise<Result> }): Promise<Result> {
    this.#listener = reader;
    try {
      return await reader.result;
    } finally {
      this.#listener = undefined;
    }
  }

  write(text: string): void {
    this.#channel.write(text);
  }

  isOpen(): boolean {
    return this.#isOpen;
  }

  close(): void {
    this.#channel.close();
  }
}

class DeviceShell implements Shell {
  readonly #line: ShellLine;
  readonly #settings: ShellSettings;
  #prompt: Prompt;
  /** The prompt after login and after all preparations. */
  #home: string;
  #shown: string;
  #hasEcho = true;

  constructor(line: ShellLine, settings: ShellSettings, prompt: Prompt) {
    this.#line = line;
    this.#settings = settings;
    this.#prompt = prompt;
    this.#home = prompt.text;
    this.#shown = prompt.text;
  }

  async prepare(): Promise<void> {
    const { enablePassword, platform, loginTimeoutMs: timeoutMs } = this.#settings;
    if (enablePassword !== undefined) await this.#enable(enablePassword);
    for (const line of platform.setup) await this.#read({ lines: [line], timeoutMs });
    this.#home = this.#shown;
  }

  async run(command: string, timeoutMs: number): Promise<string> {
    const lines = command.split("\n").map((line) => line.replace(/\r$/, ""));
    return (await this.#read({ lines, timeoutMs })).output;
  }

  async goHome(): Promise<boolean> {
    const { leave } = this.#settings.platform;
    if (this.isOpen() && !this.#isHome() && leave) {
      await this.#read({ lines: leave, isAnswersOnly: true, timeoutMs: this.#settings.loginTimeoutMs });
    }
    return this.isOpen() && this.#isHome();
  }

  isOpen(): boolean {
    return this.#line.isOpen();
  }

  close(): void {
    this.#line.close();
  }

  #isHome(): boolean {
    return isSameMode(this.#shown, this.#home, this.#settings.platform);
  }

  async #read(request: Omit<ReadingRequest, "hasEcho">): Promise<ReadingResult> {
    if (!this.isOpen()) throw new ConnectionLostError(false);
    const settings = { ...this.#settings, write: (text: string) => this.#line.write(text) };
    const reading = new CommandReading(this.#prompt, { ...request, hasEcho: this.#hasEcho }, settings);
    const result = await this.#line.listen(reading);
    this.#hasEcho &&= result.isEchoSeen;
    this.#prompt = result.prompt;
    this.#shown = result.shown;
    return result;
  }

  async #enable(password: string): Promise<void> {
    const { platform, loginTimeoutMs: timeoutMs } = this.#settings;
    if (!platform.enable || promptMark(this.#shown) !== ">") return;
    try {
      await this.#read({ lines: [platform.enable, password], isAnswersOnly: true, timeoutMs });
    } catch (error) {
      // A second question means that the password was not taken.
      throw error instanceof ReadingError ? new EnableRefusedError(refusedText) : error;
    }
    if (promptMark(this.#shown) === ">") throw new EnableRefusedError(refusedText);
  }
}
