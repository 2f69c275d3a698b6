import { isUp, type RouterConfiguration, type RouterInterface, type RouterState } from "../router-state.ts";
import { execModes, type CliCommand, type CliMode } from "./cli-command.ts";

/** Everything a router shows. Columns as FRR writes them, so that one command template works on both. */
export const showCommands: readonly CliCommand[] = [
  show("version", "Software and uptime", ({ state }) => ({ output: version(state) })),
  show("clock", "Date and time", ({ state }) => ({ output: new Date(state.now()).toUTCString() })),
  show("interfaces", "State of every interface", ({ state }) => ({
    output: state.running.interfaces.map(details).join("\n"),
  })),
  show("interfaces brief", "One line for each interface", ({ state }) => ({ output: brief(state) })),
  show("interfaces description", "Descriptions of the interfaces", ({ state }) => ({ output: descriptions(state) })),
  show("interfaces <name>", "State of one interface", ({ state }, [name]) => {
    const entry = state.running.interfaces.find((known) => known.name === name);
    return { output: entry ? details(entry) : `% Can't find interface ${name}` };
  }),
  show("ip interface brief", "Addresses and states", ({ state }) => ({ output: ipBrief(state) })),
  privileged("running-config", "Configuration in use", ({ state }) => ({ output: shownConfiguration(state.running) })),
  privileged("running-config interface <name>", "Configuration of one interface", ({ state }, [name]) => {
    const entry = state.running.interfaces.find((known) => known.name === name);
    return {
      output: entry ? ["!", ...interfaceLines(entry), "!", "end"].join("\n") : `% Can't find interface ${name}`,
    };
  }),
  privileged("startup-config", "Saved configuration", ({ state }) => ({ output: shownConfiguration(state.startup) })),
];

function show(words: string, help: string, run: CliCommand["run"], modes: readonly CliMode[] = execModes): CliCommand {
  return { modes, words: `show ${words}`, help, run };
}

function privileged(words: string, help: string, run: CliCommand["run"]): CliCommand {
  return show(words, help, run, ["privileged"]);
}

function version(state: RouterState): string {
  const minutes = Math.floor((state.now() - state.bootedAt) / 60_000);
  return [
    `Linewright demo router (${state.running.hostname}), software version 1.0`,
    `${state.running.hostname} uptime is ${Math.floor(minutes / 60)} hours, ${minutes % 60} minutes`,
    `System image file is "flash:demo-router-1.0.bin"`,
    `${state.running.interfaces.length} interfaces`,
  ].join("\n");
}

function details(entry: RouterInterface): string {
  const status = isUp(entry) ? "up" : "administratively down";
  return [
    `Interface ${entry.name} is ${status}, line protocol is ${isUp(entry) ? "up" : "down"}`,
    "  vrf: default",
    ...(entry.description ? [`  Description: ${entry.description}`] : []),
    `  mtu ${entry.name.startsWith("lo") ? 65_536 : 1_500}`,
    ...(entry.address ? [`  inet ${entry.address}`] : []),
    `  Type: ${entry.name.startsWith("lo") ? "Loopback" : "Ethernet"}`,
  ].join("\n");
}

function brief(state: RouterState): string {
  const row = (cells: readonly [string, string, string, string]) =>
    cells[0].padEnd(16) + cells[1].padEnd(8) + cells[2].padEnd(16) + cells[3];
  const rows = state.running.interfaces.map((entry) => row([entry.name, upOrDown(entry), "default", entry.address]));
  return [
    row(["Interface", "Status", "VRF", "Addresses"]),
    row(["---------", "------", "---", "---------"]),
    ...rows,
    "",
  ].join("\n");
}

function descriptions(state: RouterState): string {
  const row = (cells: readonly [string, string, string, string]) =>
    cells[0].padEnd(16) + cells[1].padEnd(8) + cells[2].padEnd(10) + cells[3];
  const rows = state.running.interfaces.map((entry) =>
    row([entry.name, upOrDown(entry), upOrDown(entry), entry.description]),
  );
  return [row(["Interface", "Status", "Protocol", "Description"]), ...rows].join("\n");
}

function ipBrief(state: RouterState): string {
  const row = (cells: readonly string[]) =>
    [23, 16, 4, 7, 22, 8]
      .map((width, index) => (cells[index] ?? "").padEnd(width))
      .join("")
      .trimEnd();
  const rows = state.running.interfaces.map((entry) => {
    const status = isUp(entry) ? "up" : "administratively down";
    return row([entry.name, entry.address.split("/")[0] || "unassigned", "YES", "manual", status, upOrDown(entry)]);
  });
  return [row(["Interface", "IP-Address", "OK?", "Method", "Status", "Protocol"]), ...rows].join("\n");
}

function shownConfiguration(configuration: RouterConfiguration): string {
  const interfaces = configuration.interfaces.flatMap((entry) => [...interfaceLines(entry), "!"]);
  return [
    "Building configuration...",
    "",
    "Current configuration:",
    "!",
    `hostname ${configuration.hostname}`,
    "!",
    ...interfaces,
    "end",
  ].join("\n");
}

function interfaceLines(entry: RouterInterface): string[] {
  return [
    `interface ${entry.name}`,
    ...(entry.description ? [` description ${entry.description}`] : []),
    ...(entry.address ? [` ip address ${entry.address}`] : []),
    ...(entry.isShutdown ? [" shutdown"] : []),
    "exit",
  ];
}

function upOrDown(entry: RouterInterface): string {
  return isUp(entry) ? "up" : "down";
}
