import { isDeepStrictEqual } from "node:util";
import { Agent } from "undici";
import { runClosedLoop, type LoadResult } from "./closed-loop.ts";
import { processUse } from "./processes/process-tree.ts";
import { expectedResult, type RunningTarget, type StartRequest } from "./targets/target.ts";

const longestAnswerMs = 60_000;

/** A way to send requests over connections that are kept. */
export interface Sender {
  /** The answer's JSON; an error for a status of 300 and above. */
  send(request: StartRequest, method?: "GET" | "POST"): Promise<unknown>;
  /** The same without looking into the answer. */
  post(request: StartRequest): Promise<void>;
  dump(request: StartRequest, method: "GET" | "POST"): Promise<void>;
  close(): Promise<void>;
}

/** `answerMs`: how long an answer may take at most. */
export function createSender(connections: number, answerMs = longestAnswerMs): Sender {
  const agent = new Agent({
    connections,
    pipelining: 1,
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
  });
  const ask = async ({ url, headers, body }: StartRequest, method: "GET" | "POST") => {
    const { origin, pathname, search } = new URL(url);
    const path = pathname + search;
    const reply = await agent.request({ origin, path, method, headers, ...(method === "POST" ? { body } : {}) });
    if (reply.statusCode >= 300) throw new Error(`${method} ${path} ${reply.statusCode}: ${await reply.body.text()}`);
    return reply.body;
  };
  return {
    send: async (request, method = "POST") => (await ask(request, method)).json(),
    post: async (request) => (await ask(request, "POST")).dump(),
    dump: async (request, method) => (await ask(request, method)).dump({ limit: Number.MAX_SAFE_INTEGER }),
    close: () => agent.close(),
  };
}

/** One workflow, and the check that it did what it should. */
export async function tryOut(target: RunningTarget): Promise<void> {
  const sender = createSender(1);
  try {
    const answer = await sender.send(target.request);
    const result = target.resultOf(answer);
    if (!isDeepStrictEqual(result, expectedResult)) throw new Error(`the result is wrong: ${JSON.stringify(answer)}`);
  } finally {
    await sender.close();
  }
}

/** A load, and what it cost. */
export interface TargetLoad extends LoadResult {
  /** Processor time per workflow of the target, in milliseconds. */
  cpuMs: number;
  /** The same of its database server. */
  databaseCpuMs?: number;
  residentMb: number;
}

/** Runs workflows on a target from so many clients. */
export async function loadTarget(target: RunningTarget, clients: number, seconds: number): Promise<TargetLoad> {
  const sender = createSender(clients);
  try {
    let before = await useOf(target);
    const noteUse = async (): Promise<void> => {
      before = await useOf(target);
    };
    const result = await runClosedLoop(clients, seconds * 1000, () => sender.post(target.request), noteUse);
    const after = await useOf(target);
    const each = (ms: number): number => Number((ms / result.requests).toFixed(3));
    return {
      ...result,
      cpuMs: each(after.own.cpuMs - before.own.cpuMs),
      ...(target.databasePid === undefined
        ? {}
        : { databaseCpuMs: each(after.database.cpuMs - before.database.cpuMs) }),
      residentMb: after.own.residentMb,
    };
  } finally {
    await sender.close();
  }
}

async function useOf({ pid, databasePid }: RunningTarget) {
  return { own: await processUse(pid), database: await processUse(databasePid ?? -1) };
}
