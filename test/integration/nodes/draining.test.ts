import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { startTestPlatform } from "../../support/platform.ts";

/** Begins a request whose body is not whole yet; the server has it once a later request was answered. */
async function beginRequest(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write("POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{");
  return socket;
}

describe("a node that is asked to end", () => {
  it("says so to load balancers and to people while it ends what it has begun, and takes nothing new", async () => {
    const server = await startTestPlatform();
    const begun = await beginRequest(server.platform.url);
    await server.send("GET", "/whoami");
    const restarted = server.restart();

    const status = await server.request<{ services: object[] }>("GET", "/health/status", undefined, null);
    expect(status.status).toBe(503);
    expect(status.body.services).toContainEqual({ service: "node", status: "stopped" });
    const refused = await server.request("GET", "/whoami");
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await server.send("GET", "/health/nodes")).toMatchObject({ results: [{ status: "draining" }] });

    begun.write("}");
    const [reply] = (await once(begun, "data")) as [Buffer];
    expect(reply.toString()).toMatch(/^HTTP\/1\.1 400 /u);
    const again = await restarted;
    await expect(server.request("GET", "/health/status")).rejects.toThrow();
    expect(await again.send("GET", "/health/nodes")).toMatchObject({
      results: [{ status: "running" }, { status: "stopped" }],
    });
    await again.stop();
  });
});
