import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { codeOf, failure, messageOf, ok, warning, type Finding } from "./finding.ts";

const answerMs = 2_000;

/** The version of Node.js against the one the package asks for. */
export function checkNodeVersion(running: string): Finding {
  const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  const wanted = (JSON.parse(text) as { engines: { node: string } }).engines.node.replace(/^>=/u, "");
  return judgeNodeVersion(running, wanted);
}

/** @param running e.g. `v20.20.2` @param wanted e.g. `20.19`, the oldest that is good enough */
export function judgeNodeVersion(running: string, wanted: string): Finding {
  const [major = 0, minor = 0] = numbersOf(running);
  const [wantedMajor = 0, wantedMinor = 0] = numbersOf(wanted);
  const isEnough = major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
  if (isEnough) return ok("Node.js", `${running}; ${wanted} or newer is needed`);
  return failure("Node.js", `${running} is too old`, `Install Node.js ${wanted} or newer.`);
}

function numbersOf(version: string): number[] {
  return version.replace(/^v/u, "").split(".").map(Number);
}

/** Can the platform listen there, or does it already? */
export async function checkPort(host: string, port: number): Promise<Finding> {
  if (port === 0) return ok("port", "0: a free one is taken at each start");
  const place = `${host}:${port}`;
  try {
    await listenOnce(host, port);
    return ok("port", `${place} is free`);
  } catch (error) {
    if (codeOf(error) === "EADDRINUSE") return judgeUsedPort(place, await isPlatform(host, port));
    if (codeOf(error) === "EADDRNOTAVAIL")
      return failure("port", `${host} is no address of this machine`, "Correct LINEWRIGHT_HOST.");
    return failure("port", `cannot listen on ${place}: ${messageOf(error)}`, "Set another LINEWRIGHT_PORT.");
  }
}

function judgeUsedPort(place: string, isOurs: boolean): Finding {
  if (isOurs) return ok("port", `a platform answers on ${place}`);
  return warning(
    "port",
    `${place} is used by another program, or the platform there does not answer`,
    "Stop what uses it, or set another LINEWRIGHT_PORT.",
  );
}

async function listenOnce(host: string, port: number): Promise<void> {
  const server = createServer();
  server.listen(port, host);
  try {
    await once(server, "listening");
  } finally {
    server.close();
  }
}

async function isPlatform(host: string, port: number): Promise<boolean> {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host;
  try {
    const reply = await fetch(`http://${reachable}:${port}/health/status`, { signal: AbortSignal.timeout(answerMs) });
    const body: unknown = await reply.json();
    return typeof body === "object" && body !== null && "serverId" in body;
  } catch {
    // Whatever it is, it is no platform that works.
    return false;
  }
}
