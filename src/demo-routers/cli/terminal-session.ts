import type { RouterFaults } from "../router-faults.ts";
import type { RouterState } from "../router-state.ts";
import type { CliAnswer, CliContext, CliCommand } from "./cli-command.ts";
import { configCommands } from "./config-commands.ts";
import { execCommands } from "./exec-commands.ts";
import { createLineEditor, type LineEditor } from "./line-editor.ts";
import { matchCommand, nextWords } from "./match-command.ts";
import { showCommands } from "./show-commands.ts";

const commands: readonly CliCommand[] = [...showCommands, ...execCommands, ...configCommands];
const more = " --More-- ";

export interface TerminalSettings {
  state: RouterState;
  enablePassword: string;
  /** Lines of the person's terminal; 0: no pages. */
  pageLines: number;
  faults: RouterFaults;
  write(text: string): void;
  end(which: "session" | "router" | "cut"): void;
}

/** A person (or a program) at the terminal of a demo router: greets, shows the prompt and answers what is typed. */
export class TerminalSession {
  readonly #settings: TerminalSettings;
  readonly #context: CliContext;
  readonly #editor: LineEditor;
  #outgoing = "";
  #isFlushing = false;
  #question: CliAnswer["question"];
  #page: string[] | undefined;
  #isBusy = false;
  #typedAhead = "";

  constructor(settings: TerminalSettings) {
    const { state, pageLines, enablePassword, faults } = settings;
    this.#settings = settings;
    this.#context = { state, mode: "user", selected: undefined, pageLines, enablePassword };
    this.#editor = createLineEditor({
      echo: (text) => void (faults.hasNoEcho || this.#question?.isHidden || this.#put(text)),
      line: (line) => void this.#take(line),
      help: (line) => this.#showHelp(line),
      complete: (line) => completion(line, this.#context),
      cancel: () => this.#prompt("\n"),
      leave: () => this.#end("session"),
    });
    this.#put(`\nLinewright demo router ${state.running.hostname}\n\n`);
    this.#prompt();
  }

  /** Takes what was typed. */
  feed(text: string): void {
    let at = 0;
    for (const key of text) {
      // While a command is at work its successors wait.
      if (this.#isBusy) {
        this.#typedAhead += text.slice(at);
        return;
      }
      at += key.length;
      if (this.#page) this.#turnPage(key);
      else this.#editor.key(key, this.#question !== undefined);
    }
  }

  async #take(line: string): Promise<void> {
    const { faults } = this.#settings;
    if (this.#question) return this.#answer(this.#question.answer(line));
    if (line.trim() === "") return this.#prompt();
    if (faults.logAfterEcho) this.#put(`${faults.logAfterEcho}\n`);
    const wait = faults.beforeAnswer?.(line);
    if (wait) {
      this.#isBusy = true;
      await wait;
      this.#isBusy = false;
    }
    const isCut = faults.cutOn !== undefined && line.startsWith(faults.cutOn);
    this.#answer(run(line, this.#context, faults), isCut);
    const ahead = this.#typedAhead;
    this.#typedAhead = "";
    this.feed(ahead);
  }

  #answer(result: CliAnswer, isCut = false): void {
    const output = result.output ?? "";
    if (result.mode) this.#context.mode = result.mode;
    this.#question = result.question;
    if (isCut) {
      this.#put(output.slice(0, 20));
      return this.#end("cut");
    }
    if (result.ends) return this.#end(result.ends);
    if (result.question) return this.#put(`${output}${result.question.text}`);
    this.#showPage(result.output === undefined ? [] : output.split("\n"), this.#pageLines() - 1);
  }

  #showPage(lines: string[], count: number): void {
    const isWhole = this.#pageLines() === 0 || lines.length <= count;
    this.#page = isWhole ? undefined : lines.slice(count);
    const text = (isWhole ? lines : lines.slice(0, count)).map((line) => `${line}\n`).join("");
    if (this.#page) this.#put(`${text}${more}`);
    else this.#prompt(text);
  }

  #turnPage(key: string): void {
    const left = this.#page ?? [];
    this.#put("\b".repeat(more.length) + " ".repeat(more.length) + "\b".repeat(more.length));
    if (key === "q" || key === "\u0003") return this.#showPage([], 1);
    this.#showPage(left, key === "\r" || key === "\n" ? 1 : this.#pageLines() - 1);
  }

  #pageLines(): number {
    return this.#settings.faults.fixedPageLines ?? this.#context.pageLines;
  }

  #prompt(before = ""): void {
    const log = this.#settings.faults.logAfterPrompt;
    this.#question = undefined;
    this.#put(`${before}${promptOf(this.#context)}${log ? `\n${log}\n` : ""}`);
  }

  #showHelp(line: string): void {
    const words = nextWords(commands, this.#context.mode, line).map(([word, help]) => `  ${word.padEnd(18)} ${help}\n`);
    this.#put(`?\n${words.join("") || "% There is no such command.\n"}${promptOf(this.#context)}${line}`);
  }

  /** What belongs to one input travels together. */
  #put(text: string): void {
    this.#outgoing += text.replaceAll("\n", "\r\n");
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    queueMicrotask(() => this.#flush());
  }

  #flush(): void {
    this.#isFlushing = false;
    const text = this.#outgoing;
    this.#outgoing = "";
    if (text !== "") this.#settings.write(text);
  }

  #end(which: "session" | "router" | "cut"): void {
    this.#flush();
    this.#settings.end(which);
  }
}

/** Runs one line for a client that has no terminal. */
export function runSingleCommand(state: RouterState, line: string): string {
  const context: CliContext = { state, mode: "privileged", selected: undefined, pageLines: 0, enablePassword: "" };
  const { output = "" } = run(line, context, {});
  return output === "" ? "" : `${output}\n`;
}

function run(line: string, context: CliContext, faults: RouterFaults): CliAnswer {
  const scripted = faults.answers?.[line.trim()];
  if (scripted !== undefined) return { output: scripted };
  const match = matchCommand(commands, context.mode, line);
  if (match.kind === "found") return match.command.run(context, match.args);
  if (match.kind === "ambiguous") return { output: `% Ambiguous command: ${line.trim()}` };
  if (match.kind === "incomplete") return { output: "% Incomplete command." };
  return { output: `% Unknown command: ${line.trim()}` };
}

function promptOf({ state, mode }: CliContext): string {
  const marks = { user: ">", privileged: "#", config: "(config)#", interface: "(config-if)#" } as const;
  return `${state.running.hostname}${marks[mode]} `;
}

/** The rest of the last word, when only one word fits. */
function completion(line: string, { mode }: CliContext): string {
  const last = line.split(/\s+/).at(-1) ?? "";
  const words = nextWords(commands, mode, line).filter(([word]) => !word.startsWith("<"));
  const only = words.length === 1 ? words[0]?.[0] : undefined;
  return only === undefined ? "" : `${only.slice(last.length)} `;
}
