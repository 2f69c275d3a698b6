import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { keepsCommitTimes } from "./commit-times.ts";
import { startPostgresServer, type PostgresServer, type TemporaryDatabase } from "./postgres-server.ts";

export interface TemporaryDatabases {
  /** For the variable that `createTemporaryDatabase` reads, in this process, its threads and its children. */
  address: string;
  /** Stops the server with all its databases. */
  close(): Promise<void>;
}

interface Answer {
  status: number;
  text?: string;
}

/**
 * Serves databases over HTTP to whoever knows the address. The PostgreSQL server is started when it is first
 * asked for: a run of tests without it does not pay for it.
 */
export async function serveTemporaryDatabases(): Promise<TemporaryDatabases> {
  const secret = randomBytes(16).toString("hex");
  const databases = createDatabaseDesk();
  const server = createServer((request, response) => {
    const [, given, name = ""] = request.url?.split("/") ?? [];
    const answer = given === secret ? databases.answer(request, name) : Promise.resolve({ status: 404 });
    void answer.then(({ status, text }: Answer) => response.writeHead(status).end(text));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/${secret}`,
    async close() {
      server.close();
      await databases.close();
    },
  };
}

function createDatabaseDesk() {
  const given = new Map<string, TemporaryDatabase>();
  let started: Promise<PostgresServer> | undefined;
  let hasTold = false;
  const server = (): Promise<PostgresServer> => (started ??= startPostgresServer({ settings: keepsCommitTimes }));
  const create = async (): Promise<Answer> => {
    const database = await (await server()).createDatabase();
    given.set(new URL(database.url).pathname.slice(1), database);
    return { status: 201, text: database.url };
  };
  const remove = (name: string): Answer => {
    // Nobody waits for it; what cannot be dropped goes with the server.
    given
      .get(name)
      ?.remove()
      .catch(() => undefined);
    given.delete(name);
    return { status: 204 };
  };
  const refusal = (error: unknown): Answer => {
    const text = error instanceof Error ? error.message : String(error);
    if (!hasTold) process.stderr.write(`The tests that need PostgreSQL cannot run: ${text}\n`);
    hasTold = true;
    return { status: 503, text };
  };
  return {
    async answer({ method }: IncomingMessage, name: string): Promise<Answer> {
      try {
        if (method === "POST") return await create();
        if (method === "DELETE") return remove(name);
        await server();
        return { status: 204 };
      } catch (error) {
        return refusal(error);
      }
    },
    async close(): Promise<void> {
      const running = await started?.catch(() => undefined);
      await running?.stop();
    },
  };
}
