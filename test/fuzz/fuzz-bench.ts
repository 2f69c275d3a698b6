import type { FuzzCase } from "./fuzz-case.ts";
import { createApplicationFinder, createSession, Found, type Finding, type Session } from "./session.ts";
import type { Statistics } from "./statistics.ts";
import { jsonRequest, NoAnswer, startTarget, type Target } from "./target.ts";

/** What cases run on: a platform, and the figures of all that is sent to it. */
export interface FuzzBench {
  readonly target: Target;
  session(): Session;
  /** Runs a case, with its own document or another one. */
  runCase(fuzzCase: FuzzCase, subject?: unknown): Promise<Finding | undefined>;
  /** Sees to it that the platform answers: one that hangs or ended is started again. */
  revive(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a platform to try cases on. */
export async function openFuzzBench(statistics: Statistics): Promise<FuzzBench> {
  const target = await startTarget();
  const findApplication = createApplicationFinder();
  const session = () => createSession(target, statistics, findApplication);
  let reviving: Promise<void> | undefined;
  return {
    target,
    session,
    async runCase(fuzzCase, subject = fuzzCase.subject) {
      try {
        await fuzzCase.run(session(), subject);
        return undefined;
      } catch (error) {
        if (error instanceof Found) return error.finding;
        if (error instanceof NoAnswer) return { problem: error.message, requests: [] };
        throw new Error(`the case ${fuzzCase.name} cannot be run`, { cause: error });
      }
    },
    revive: () => {
      reviving ??= reviveTarget(target).finally(() => (reviving = undefined));
      return reviving;
    },
    stop: () => target.stop(),
  };
}

async function reviveTarget(target: Target): Promise<void> {
  try {
    await target.send(jsonRequest("GET", "/health/status"));
  } catch {
    await target.restart();
  }
}
