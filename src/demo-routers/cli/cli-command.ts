import type { RouterInterface, RouterState } from "../router-state.ts";

/** Where on the command line a person is. */
export type CliMode = "user" | "privileged" | "config" | "interface";

/** One person's place on a router. */
export interface CliContext {
  state: RouterState;
  mode: CliMode;
  /** The interface under configuration. */
  selected: RouterInterface | undefined;
  /** Lines per page; 0: no pages. */
  pageLines: number;
  enablePassword: string;
}

/** What a command does. */
export interface CliAnswer {
  output?: string;
  mode?: CliMode;
  /** Asks and goes on with what is typed. */
  question?: { text: string; isHidden?: boolean; answer(typed: string): CliAnswer };
  /** Ends this session, or every session of the router. */
  ends?: "session" | "router";
}

/** A command. Words in angle brackets stand for arguments; `<text>` takes the rest of the line. */
export interface CliCommand {
  modes: readonly CliMode[];
  words: string;
  help: string;
  run(context: CliContext, args: readonly string[]): CliAnswer;
}

export const execModes: readonly CliMode[] = ["user", "privileged"];
export const configModes: readonly CliMode[] = ["config", "interface"];
