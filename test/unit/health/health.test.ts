import { describe, expect, test } from "vitest";
import { host } from "../../../src/core/application.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import {
  createHealthService,
  health,
  thisMachine,
  type NodeHealth,
  type Platform,
  type ServiceStatus,
} from "../../../src/health/index.ts";
import { createHttpServer } from "../../../src/http/server.ts";
import { asAdmin, fixedClock, sampleAuthenticator } from "../../integration/http/sample-server.ts";

const node: NodeHealth = {
  id: "3f0e8a4c-0000-4000-8000-000000000001",
  host: "one",
  pid: 7,
  version: "0.1.0",
  startedAt: fixedClock.now() - 5000,
  heardAt: fixedClock.now(),
  clockOffMs: 0,
  status: "running",
  isThis: true,
};

const platform = (services: readonly ServiceStatus[]): Platform => ({
  clock: fixedClock,
  machine: thisMachine(),
  version: "0.1.0",
  release: "2023.2.9",
  dependencies: { fastify: "5" },
  serverId: "ab".repeat(32),
  services: async () => services,
  nodes: async () => [node],
  applications: () => "running",
  adapters: () => "stopped",
});

async function ask(url: string, services: readonly ServiceStatus[] = [{ service: "sqlite", status: "running" }]) {
  const server = await createHttpServer({
    applications: [host(health, createHealthService(platform(services)))],
    authenticator: sampleAuthenticator,
    logger: silentLogger,
    clock: fixedClock,
    options: { version: "0.1.0" },
  });
  const reply = await server.inject({ method: "GET", url, headers: url.includes("status") ? {} : asAdmin });
  await server.close();
  return reply;
}

describe("health", () => {
  test("of the system carries itself as results, with the platform's release", async () => {
    const body = (await ask("/health/system")).json();
    expect(body).toMatchObject({
      arch: process.arch,
      release: "2023.2.9",
      loadavg: [expect.any(Number), expect.any(Number), expect.any(Number)],
    });
    expect(Number.isInteger(body.uptime) && Number.isInteger(body.freemem) && Number.isInteger(body.totalmem)).toBe(
      true,
    );
    for (const { times } of body.cpus)
      expect(Object.keys(times).toSorted()).toEqual(["idle", "irq", "nice", "sys", "user"]);
    const { results, ...itself } = body;
    expect(results).toEqual(itself);
  });

  test("of the server names every version clients ask for", async () => {
    const body = (await ask("/health/server")).json();
    expect(body).toMatchObject({
      version: "0.1.0",
      release: "2023.2.9",
      pid: process.pid,
      dependencies: { fastify: "5" },
    });
    for (const name of ["node", "v8", "openssl", "zlib", "cjs_module_lexer"])
      expect(body.versions[name]).toEqual(expect.any(String));
  });

  test("memory figures fit 32 bits whatever the process uses", () => {
    const { memoryUsage } = thisMachine().process(1000);
    expect(Math.max(...Object.values(memoryUsage))).toBeLessThanOrEqual(1000);
  });

  test("status needs no login and tells what the platform rests on", async () => {
    const reply = await ask("/health/status");
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({
      serverId: "ab".repeat(32),
      serverName: null,
      services: [{ service: "sqlite", status: "running" }],
      timestamp: fixedClock.now(),
      apps: "running",
      adapters: "stopped",
    });
  });

  test("of the nodes is listed", async () => {
    expect((await ask("/health/nodes")).json()).toEqual({ results: [node], total: 1 });
  });

  test("status leaves the services out when asked to", async () => {
    expect((await ask("/health/status?exclude-services=true")).json()).not.toHaveProperty("services");
  });

  test("status is 503 while a service does not run", async () => {
    const reply = await ask("/health/status?exclude-services=true", [{ service: "sqlite", status: "stopped" }]);
    expect(reply.statusCode).toBe(503);
    expect(reply.json().apps).toBe("running");
  });
});
