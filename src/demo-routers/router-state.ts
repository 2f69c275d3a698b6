/** One interface of a demo router. */
export interface RouterInterface {
  name: string;
  description: string;
  /** `address/length`; empty when there is none. */
  address: string;
  isShutdown: boolean;
}

/** What a demo router's configuration consists of. */
export interface RouterConfiguration {
  hostname: string;
  interfaces: RouterInterface[];
}

/** A demo router: its running and its saved configuration, kept in memory. */
export interface RouterState {
  running: RouterConfiguration;
  startup: RouterConfiguration;
  bootedAt: number;
  now(): number;
}

/** A router as it comes up: three interfaces, like the routers of an OSPF triangle. */
export function createRouterState(
  hostname: string,
  interfaces: readonly RouterInterface[],
  now: () => number,
): RouterState {
  const running = { hostname, interfaces: interfaces.map((entry) => ({ ...entry })) };
  return { running, startup: structuredClone(running), bootedAt: now(), now };
}

/** Interfaces of a demo router when the caller names none. */
export function defaultInterfaces(index: number): RouterInterface[] {
  return [
    { name: "eth1", description: "uplink", address: `10.1.${index}.1/30`, isShutdown: false },
    { name: "eth2", description: "to the branch", address: `10.2.${index}.1/24`, isShutdown: false },
    { name: "lo", description: "router-id", address: `10.0.0.${index}/32`, isShutdown: false },
  ];
}

export function saveConfiguration(state: RouterState): void {
  state.startup = structuredClone(state.running);
}

/** Power off and on: what was not saved is lost. */
export function rebootRouter(state: RouterState): void {
  state.running = structuredClone(state.startup);
  state.bootedAt = state.now();
}

function findInterface(state: RouterState, name: string): RouterInterface | undefined {
  return state.running.interfaces.find((entry) => entry.name === name);
}

/** The interface of this name; a loopback is made when there is none. Undefined for a port the router does not have. */
export function selectInterface(state: RouterState, name: string): RouterInterface | undefined {
  const known = findInterface(state, name);
  if (known || !/^lo\d{1,4}$/.test(name)) return known;
  const made = { name, description: "", address: "", isShutdown: false };
  state.running.interfaces.push(made);
  return made;
}

export function isUp(entry: RouterInterface): boolean {
  return !entry.isShutdown;
}
