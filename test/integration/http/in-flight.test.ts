import { once } from "node:events";
import { request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { asAdmin, createSampleServer, type SampleServer } from "./sample-server.ts";

describe("requests in flight", () => {
  let server: SampleServer;
  let port: number;

  const open = async (options: { mostRequestsInFlight?: number; mostBodyBytesInFlight?: number }) => {
    server = await createSampleServer({ options });
    ({ port } = await server.listen("127.0.0.1", 0));
  };
  const send = (method: string, path: string, headers: Record<string, string | number> = {}): ClientRequest => {
    const request = httpRequest({ port, method, path, headers: { ...asAdmin, ...headers } });
    request.on("error", () => undefined);
    return request;
  };
  const answer = async (request: ClientRequest): Promise<IncomingMessage> => {
    const [reply] = (await once(request, "response")) as [IncomingMessage];
    reply.resume();
    return reply;
  };
  const ask = (path: string) => answer(send("GET", path).end());
  /** Asks until the server has room again. */
  const untilTaken = async (path: string): Promise<void> => {
    for (;;) {
      const { statusCode } = await ask(path);
      if (statusCode === 200) return;
    }
  };

  afterEach(async () => {
    server.services.release();
    await server.close();
  });

  describe("are two", () => {
    beforeEach(() => open({ mostRequestsInFlight: 2 }));

    test("and no more: the third is told to come again, and is taken once there is room", async () => {
      const waiting = [answer(send("GET", "/sample/wait").end()), answer(send("GET", "/sample/wait").end())];
      await server.services.waiting.promise;
      let reply = await ask("/sample/list");
      // The second may be on its way still when the first has arrived.
      while (reply.statusCode === 200) reply = await ask("/sample/list");
      expect(reply.statusCode).toBe(503);
      expect(reply.headers["retry-after"]).toBe("1");
      expect(reply.headers["x-error-code"]).toBe("UNAVAILABLE");
      server.services.release();
      expect((await Promise.all(waiting)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
      await untilTaken("/sample/list");
    });

    test("also when their clients go away: what they asked for is worked on still", async () => {
      for (let index = 0; index < 2; index++) {
        const left = send("GET", "/sample/wait").end();
        await server.services.waiting.promise;
        if (index === 0) continue;
        let reply = await ask("/sample/list");
        while (reply.statusCode === 200) reply = await ask("/sample/list");
        left.destroy();
      }
      for (let index = 0; index < 20; index++) expect((await ask("/sample/list")).statusCode).toBe(503);
      server.services.release();
      await untilTaken("/sample/list");
    });

    test("not when their clients go away while they send", async () => {
      const half = () => {
        const request = send("POST", "/sample/ping", { "content-type": "application/json", "content-length": 50 });
        request.write("{");
        return request;
      };
      const halves = [half(), half()];
      let reply = await ask("/sample/list");
      while (reply.statusCode === 200) reply = await ask("/sample/list");
      expect(reply.statusCode).toBe(503);
      halves.forEach((request) => request.destroy());
      await untilTaken("/sample/list");
    });

    test("do not count those that are refused at the door", async () => {
      for (let index = 0; index < 5; index++) {
        expect((await ask("/nowhere")).statusCode).toBe(404);
        expect((await answer(send("GET", "/sample/list", { authorization: "Bearer wrong" }).end())).statusCode).toBe(
          401,
        );
      }
      await untilTaken("/sample/list");
    });
  });

  describe("have bodies", () => {
    beforeEach(() => open({ mostBodyBytesInFlight: 10_000 }));

    const json = { "content-type": "application/json" };
    const post = (body: string, headers: Record<string, string | number>) => {
      const request = send("POST", "/sample/ping", { ...json, ...headers });
      request.end(body);
      return answer(request);
    };
    const large = JSON.stringify("x".repeat(2_000));

    test("that together are bounded, as announced or, where that is not told, as large as may be", async () => {
      const first = send("POST", "/sample/ping", { ...json, "content-length": 9_000 });
      first.write('"');
      let reply = await post(large, { "content-length": large.length });
      while (reply.statusCode === 400) reply = await post(large, { "content-length": large.length });
      expect(reply.statusCode).toBe(503);
      expect((await post('"x"', { "transfer-encoding": "chunked" })).statusCode).toBe(503);
      // Taken, and then refused for what it is.
      expect((await post('"x"', { "content-length": 3 })).statusCode).toBe(400);
      first.destroy();
      reply = await post(large, { "transfer-encoding": "chunked" });
      while (reply.statusCode === 503) reply = await post(large, { "transfer-encoding": "chunked" });
      expect(reply.statusCode).toBe(400);
    });

    test("of which only what was read counts once it is there", async () => {
      const waiting = send("GET", "/sample/wait", { ...json, "transfer-encoding": "chunked" });
      waiting.end("{}");
      const waited = answer(waiting);
      await server.services.waiting.promise;
      expect((await post(large, { "content-length": large.length })).statusCode).toBe(400);
      server.services.release();
      expect((await waited).statusCode).toBe(200);
    });
  });
});
