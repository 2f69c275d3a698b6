import { connect } from "node:net";
import type { FuzzCase } from "./fuzz-case.ts";
import { longestAnswerMs, NoAnswer } from "./target.ts";

/** What is no HTTP, or hardly. Each ends, so that nobody waits for the rest. */
const rawMessages: readonly string[] = [
  "\r\n\r\n",
  "GET\r\n\r\n",
  "GET / HTTP/9.9\r\nhost: x\r\n\r\n",
  "GET /health/status HTTP/1.1\r\n\r\n",
  "GET http://[::1 HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET /\u0000 HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET /%00/../health/status HTTP/1.1\r\nhost: x\r\n\r\n",
  "POST /login HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n{}   ",
  "POST /login HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
  "POST /login HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n",
  "POST /login HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\ncontent-type: application/json\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
  "BREW /pot HTTP/1.1\r\nhost: x\r\n\r\n",
  `GET / HTTP/1.1\r\nhost: x\r\nx: ${"y".repeat(100_000)}\r\n\r\n`,
  "GET / HTTP/1.1\r\nhost: x\r\nno colon\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
  "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
];

/** Sends bytes that are no valid request: the server is to refuse them or hang up, and to live on. */
export function rawCase(index: number): FuzzCase {
  const message = rawMessages[index % rawMessages.length] ?? "";
  return {
    name: `raw message ${index}`,
    subject: undefined,
    async run(session) {
      const answer = await exchangeBytes(session.target.server.url, message);
      const status = Number(/^HTTP\/1\.1 (\d{3}) /u.exec(answer)?.[1] ?? 0);
      session.require(
        answer === "" || status < 500 || status === 505,
        `${JSON.stringify(message.slice(0, 100))} is answered ${status}`,
      );
      await session.ask({ method: "GET", path: "/health/status", headers: {} });
    },
  };
}

/** Everything the server answers until it hangs up. */
function exchangeBytes(url: string, message: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () => socket.end(Buffer.from(message, "latin1")));
    socket.setTimeout(longestAnswerMs, () => {
      socket.destroy();
      reject(new NoAnswer(`the connection was not ended within ${longestAnswerMs} ms`));
    });
    socket.on("data", (chunk: Buffer) => (answer += chunk.toString("latin1")));
    // A refusal may come as a reset.
    socket.on("error", () => resolve(answer));
    socket.on("close", () => resolve(answer));
  });
}
