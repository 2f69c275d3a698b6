import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parsed } from "./check-reply.ts";
import { makeObjects } from "./bench-objects.ts";
import { openFuzzBench, type FuzzBench } from "./fuzz-bench.ts";
import type { FuzzCase } from "./fuzz-case.ts";
import { minimise } from "./minimise.ts";
import { Found, type Finding } from "./session.ts";
import { createStatistics } from "./statistics.ts";
import type { FuzzRequest } from "./target.ts";

/** A problem that is to be mended. */
export interface Failure {
  problem: string;
  /** Method and path of the request that showed it. */
  request: string;
  /** The requests that lead there, as small as could be made. */
  file: string;
}

const mostMinimisingMs = 30_000;

/**
 * Tries a finding again, alone, and makes it small. Undefined for one that does not come again and
 * may be the fault of another case: silence, or documents that changed while others were at work.
 */
export async function confirmFinding(
  bench: FuzzBench,
  fuzzCase: FuzzCase,
  finding: Finding,
): Promise<Failure | undefined> {
  const again = await tryAgain(bench, fuzzCase, finding);
  if (!again) return finding.reply ? confirmOnNewData(fuzzCase, finding) : undefined;
  const untilMs = performance.now() + mostMinimisingMs;
  let smallest = again;
  const isFailing = async (subject: unknown): Promise<boolean> => {
    const result = await alone(bench, () => bench.runCase(fuzzCase, subject));
    if (!result || !isSame(result, finding)) return false;
    smallest = result;
    return true;
  };
  if (fuzzCase.subject !== undefined) await minimise(fuzzCase.subject, isFailing, untilMs);
  else smallest = await minimiseRequest(bench, again, untilMs);
  return writeFailure(smallest, fuzzCase);
}

/** What was made the first time may be in the way of a second one: tried once more where nothing is. A failure of the server counts even when it never comes again. */
async function confirmOnNewData(fuzzCase: FuzzCase, finding: Finding): Promise<Failure | undefined> {
  const bench = await openFuzzBench(createStatistics());
  try {
    await makeObjects(bench.target);
    const again = await tryAgain(bench, fuzzCase, finding);
    if (again) return await writeFailure(again, fuzzCase);
    return finding.reply && finding.reply.status >= 500 ? await writeFailure(finding, fuzzCase) : undefined;
  } finally {
    await bench.stop();
  }
}

async function tryAgain(bench: FuzzBench, fuzzCase: FuzzCase, finding: Finding): Promise<Finding | undefined> {
  await bench.revive();
  const again = await alone(bench, () => bench.runCase(fuzzCase));
  return again && isSame(again, finding) ? again : undefined;
}

/** A case of requests becomes its last request alone, where that still fails, with a smaller body. */
async function minimiseRequest(bench: FuzzBench, finding: Finding, untilMs: number): Promise<Finding> {
  const request = finding.requests.at(-1);
  if (!request) return finding;
  const send = (body: unknown): Promise<Finding | undefined> =>
    alone(bench, () => sendAlone(bench, body === undefined ? request : { ...request, body: JSON.stringify(body) }));
  let smallest = await send(undefined);
  if (!smallest || !isSame(smallest, finding)) return finding;
  const body = request.body === undefined ? undefined : parsed(String(request.body));
  if (body === undefined) return smallest;
  const isFailing = async (candidate: unknown): Promise<boolean> => {
    const result = await send(candidate);
    if (!result || !isSame(result, finding)) return false;
    smallest = result;
    return true;
  };
  await minimise(body, isFailing, untilMs);
  return smallest;
}

async function sendAlone(bench: FuzzBench, request: FuzzRequest): Promise<Finding | undefined> {
  try {
    await bench.session().ask(request);
    return undefined;
  } catch (error) {
    if (error instanceof Found) return error.finding;
    throw error;
  }
}

/** What silenced the platform must not silence the next try. */
async function alone(bench: FuzzBench, run: () => Promise<Finding | undefined>): Promise<Finding | undefined> {
  const finding = await run();
  if (finding && !finding.reply) await bench.revive();
  return finding;
}

function isSame(a: Finding, b: Finding): boolean {
  return signatureOf(a) === signatureOf(b);
}

/** Findings with the same one are one problem: what it is, and with which kind of request. */
export function signatureOf({ problem, requests }: Finding): string {
  const { method = "", path = "" } = requests.at(-1) ?? {};
  const kind = problem.replaceAll(/[0-9a-f]{8,}|\d{4,}/gu, "#").slice(0, 60);
  return `${kind} | ${method} ${path.replace(/\?.*/u, "").split("/").slice(0, 4).join("/")}`;
}

async function writeFailure(finding: Finding, { name }: FuzzCase): Promise<Failure> {
  const folder = await mkdtemp(join(tmpdir(), "linewright-fuzz-failure-"));
  const file = join(folder, "failure.json");
  const requests = finding.requests.map(({ body, ...rest }) => ({
    ...rest,
    ...(body === undefined ? {} : { body: parsed(String(body)) ?? String(body) }),
  }));
  await writeFile(
    file,
    JSON.stringify({ case: name, problem: finding.problem, requests, reply: finding.reply }, null, 2),
  );
  const last = finding.requests.at(-1);
  return { problem: finding.problem, request: last ? `${last.method} ${last.path.slice(0, 300)}` : name, file };
}
