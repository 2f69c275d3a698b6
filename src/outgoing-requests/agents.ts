import { Agent } from "undici";
import { createGuardedConnector, type ConnectionSettings } from "./guarded-connector.ts";

/** How a connection judges certificates. */
export type CertificateRules = Pick<ConnectionSettings, "verifiesCertificates" | "authorities">;

const mostAgents = 16;

/**
 * One agent for each way to judge certificates: a connection must not be used by who would not have opened it. The
 * agents that were used last are kept, each with its open connections.
 */
export class Agents {
  readonly #settings: Omit<ConnectionSettings, keyof CertificateRules>;
  readonly #kept = new Map<string, Agent>();
  /** Not kept any more, but at work still. */
  readonly #ending = new Set<Agent>();

  constructor(settings: Omit<ConnectionSettings, keyof CertificateRules>) {
    this.#settings = settings;
  }

  for(rules: CertificateRules): Agent {
    const key = `${rules.verifiesCertificates} ${rules.authorities ?? ""}`;
    const agent = this.#kept.get(key) ?? openAgent({ ...this.#settings, ...rules });
    // Again at the end: the first one is the one that was not used for longest.
    this.#kept.delete(key);
    this.#kept.set(key, agent);
    this.#letGo();
    return agent;
  }

  /** Breaks off what is under way. */
  async destroy(): Promise<void> {
    await Promise.all([...this.#kept.values(), ...this.#ending].map((agent) => agent.destroy()));
  }

  /** An agent that is closed while it is at work cannot be broken off any more, so it is not until it rests. */
  #letGo(): void {
    for (const [key, agent] of this.#kept) {
      if (this.#kept.size <= mostAgents) break;
      this.#kept.delete(key);
      this.#ending.add(agent);
    }
    for (const agent of this.#ending) {
      if (isAtWork(agent)) continue;
      this.#ending.delete(agent);
      void agent.destroy();
    }
  }
}

function isAtWork(agent: Agent): boolean {
  return Object.values(agent.stats).some(({ size }) => size > 0);
}

function openAgent(settings: ConnectionSettings): Agent {
  return new Agent({
    connect: createGuardedConnector(settings),
    // The deadline of the request is what counts; these only end what it cannot see.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 64 * 1024,
    pipelining: 1,
    keepAliveTimeout: 4_000,
  });
}
