import { timingSafeEqual } from "node:crypto";
import { rebootRouter, saveConfiguration } from "../router-state.ts";
import { execModes, type CliAnswer, type CliCommand, type CliContext } from "./cli-command.ts";

const building = "Building configuration...\n[OK]";

/** Commands outside of configuration mode that change something. */
export const execCommands: readonly CliCommand[] = [
  { modes: execModes, words: "enable", help: "Enter privileged mode", run: enable },
  { modes: ["privileged"], words: "disable", help: "Leave privileged mode", run: () => ({ mode: "user" }) },
  { modes: execModes, words: "exit", help: "Log out", run: () => ({ ends: "session" }) },
  { modes: execModes, words: "quit", help: "Log out", run: () => ({ ends: "session" }) },
  { modes: execModes, words: "terminal length <lines>", help: "Lines per page, 0 for no pages", run: setPageLines },
  { modes: execModes, words: "terminal width <columns>", help: "Columns of the terminal", run: () => ({}) },
  {
    modes: ["privileged"],
    words: "configure terminal",
    help: "Enter configuration mode",
    run: () => ({ mode: "config" }),
  },
  { modes: ["privileged"], words: "write", help: "Save the configuration", run: save },
  { modes: ["privileged"], words: "write memory", help: "Save the configuration", run: save },
  {
    modes: ["privileged"],
    words: "copy running-config startup-config",
    help: "Save the configuration",
    run: copyToStartup,
  },
  { modes: ["privileged"], words: "reload", help: "Restart the router", run: reload },
];

function enable(context: CliContext): CliAnswer {
  if (context.mode === "privileged" || context.enablePassword === "") return { mode: "privileged" };
  return askForPassword(context.enablePassword, 3);
}

function askForPassword(expected: string, attempts: number): CliAnswer {
  return {
    question: {
      text: "Password: ",
      isHidden: true,
      answer(typed) {
        if (isSameText(typed, expected)) return { mode: "privileged" };
        return attempts > 1 ? askForPassword(expected, attempts - 1) : { output: "% Bad secrets" };
      },
    },
  };
}

/** Compares in a time that does not depend on where the texts differ. */
export function isSameText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

function setPageLines(context: CliContext, [lines = ""]: readonly string[]): CliAnswer {
  if (!/^\d{1,3}$/.test(lines)) return { output: "% Invalid input: a number from 0 to 999 is expected" };
  context.pageLines = Number(lines);
  return {};
}

function save({ state }: CliContext): CliAnswer {
  saveConfiguration(state);
  return { output: building };
}

function copyToStartup(context: CliContext): CliAnswer {
  return {
    question: {
      text: "Destination filename [startup-config]? ",
      answer: (typed) =>
        typed === "" || typed === "startup-config"
          ? save(context)
          : { output: `% Error opening ${typed} (no such file)` },
    },
  };
}

function reload({ state }: CliContext): CliAnswer {
  return {
    question: {
      text: "Proceed with reload? [confirm]",
      answer(typed) {
        if (!/^(?:y|yes)?$/i.test(typed)) return { output: "Reload cancelled" };
        rebootRouter(state);
        return { ends: "router" };
      },
    },
  };
}
