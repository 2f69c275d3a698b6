import { selectInterface, type RouterInterface } from "../router-state.ts";
import { configModes, type CliAnswer, type CliCommand, type CliContext } from "./cli-command.ts";

const addressShape = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)$/;

/** Commands of configuration mode. */
export const configCommands: readonly CliCommand[] = [
  { modes: configModes, words: "end", help: "Leave configuration mode", run: () => ({ mode: "privileged" }) },
  { modes: ["config"], words: "exit", help: "Leave configuration mode", run: () => ({ mode: "privileged" }) },
  { modes: ["interface"], words: "exit", help: "Leave the interface", run: () => ({ mode: "config" }) },
  { modes: configModes, words: "hostname <name>", help: "Name of the router", run: rename },
  { modes: configModes, words: "interface <name>", help: "Configure an interface", run: enterInterface },
  onInterface("description <text>", "Describe the interface", (entry, text) => void (entry.description = text)),
  onInterface("no description", "Remove the description", (entry) => void (entry.description = "")),
  onInterface("shutdown", "Turn the interface off", (entry) => void (entry.isShutdown = true)),
  onInterface("no shutdown", "Turn the interface on", (entry) => void (entry.isShutdown = false)),
  onInterface("ip address <address>", "Address and prefix length", (entry, address) => setAddress(entry, address)),
  onInterface("ip address <address> <mask>", "Address and mask", (entry, address, mask) =>
    setAddress(entry, address, mask),
  ),
  onInterface("no ip address", "Remove the address", (entry) => void (entry.address = "")),
];

type Change = (entry: RouterInterface, first: string, second: string) => string | void;

function onInterface(words: string, help: string, change: Change): CliCommand {
  return {
    modes: ["interface"],
    words,
    help,
    run({ selected }, [first = "", second = ""]) {
      const problem = selected && change(selected, first, second);
      return problem ? { output: problem } : {};
    },
  };
}

function rename({ state }: CliContext, [name = ""]: readonly string[]): CliAnswer {
  if (!/^[A-Za-z][\w-]{0,62}$/.test(name)) return { output: "% Invalid hostname" };
  state.running.hostname = name;
  return {};
}

function enterInterface(context: CliContext, [name = ""]: readonly string[]): CliAnswer {
  const entry = selectInterface(context.state, name);
  if (!entry) return { output: `% Invalid interface: ${name}` };
  context.selected = entry;
  return { mode: "interface" };
}

function setAddress(entry: RouterInterface, address: string, mask?: string): string | void {
  const [host = "", length = ""] = mask === undefined ? address.split("/") : [address, String(prefixLength(mask))];
  if (!addressShape.test(host) || !/^(?:3[0-2]|[12]?\d)$/.test(length)) return "% Malformed address";
  entry.address = `${host}/${length}`;
}

function prefixLength(mask: string): number | undefined {
  if (!addressShape.test(mask)) return undefined;
  const bits = mask
    .split(".")
    .map((part) => Number(part).toString(2).padStart(8, "0"))
    .join("");
  return /^1*0*$/.test(bits) ? bits.replaceAll("0", "").length : undefined;
}
