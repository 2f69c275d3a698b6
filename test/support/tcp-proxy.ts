import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/**
 * What a proxy does with what passes through it. `blackhole`: nothing arrives, and nobody is told; new
 * connections hang. `mute`: what the server says does not arrive. `reset`: all connections are broken, new ones at
 * once. `slow`: everything is late.
 */
export type LinkState = "open" | "blackhole" | "mute" | "reset" | "slow";

/** A network between a client and a server on this machine. */
export interface TcpProxy {
  port: number;
  set(state: LinkState): void;
  /** Connections on which something that the server said waits for the end of a partition. */
  muted(): number;
  close(): Promise<void>;
}

/** How late everything is on a slow link, milliseconds. */
const slowMs = 150;

/** One direction of a connection: passes on what it may, in order. */
class Pipe {
  readonly #to: Socket;
  #state: LinkState = "open";
  #waiting: Buffer[] = [];

  constructor(from: Socket, to: Socket) {
    this.#to = to;
    from.on("data", (chunk: Buffer) => this.#take(chunk));
    from.on("end", () => this.#end());
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  set(state: LinkState): void {
    this.#state = state;
    // A partition that ends delivers what was on its way: retransmission is TCP's work.
    if (state !== "blackhole") for (const chunk of this.#waiting.splice(0)) this.#take(chunk);
  }

  #take(chunk: Buffer): void {
    if (this.#state === "blackhole") this.#waiting.push(chunk);
    else if (this.#state === "slow") setTimeout(() => this.#pass(chunk), slowMs);
    else this.#pass(chunk);
  }

  #pass(chunk: Buffer): void {
    if (this.#state === "blackhole") this.#waiting.push(chunk);
    else if (!this.#to.destroyed && this.#to.writable) this.#to.write(chunk);
  }

  #end(): void {
    // In a partition the other side does not hear of an end either.
    if (this.#state === "open") this.#to.end();
  }
}

interface Link {
  sockets: readonly [Socket, Socket];
  pipes: readonly [Pipe, Pipe];
}

function setPipes({ pipes: [toServer, fromServer] }: Link, state: LinkState): void {
  toServer.set(state === "mute" ? "open" : state);
  fromServer.set(state === "mute" ? "blackhole" : state);
}

/** Opens a proxy on a free port before a port of this machine. */
export async function openTcpProxy(targetPort: number): Promise<TcpProxy> {
  let state: LinkState = "open";
  const links = new Set<Link>();
  const server = createServer({ noDelay: true }, (client) => {
    client.on("error", () => undefined);
    if (state === "reset") {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({ port: targetPort, host: "127.0.0.1", noDelay: true });
    const link: Link = { sockets: [client, upstream], pipes: [new Pipe(client, upstream), new Pipe(upstream, client)] };
    links.add(link);
    setPipes(link, state);
    upstream.on("error", () => client.destroy());
    for (const socket of link.sockets) socket.on("close", () => forget(link));
  });

  const forget = (link: Link): void => {
    // The server learns of a client that went away during a partition when the partition ends.
    if (state === "blackhole") return;
    links.delete(link);
    for (const socket of link.sockets) socket.destroy();
  };

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      state = next;
      for (const link of links) {
        if (next === "reset") for (const socket of link.sockets) socket.resetAndDestroy();
        setPipes(link, next);
        if (next !== "blackhole" && link.sockets.some((socket) => socket.destroyed)) forget(link);
      }
    },
    muted: () => [...links].filter(({ pipes: [, fromServer] }) => fromServer.isWaiting).length,
    async close() {
      state = "reset";
      for (const { sockets } of links) for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
