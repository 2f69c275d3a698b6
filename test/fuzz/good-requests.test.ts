import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeObjects } from "./bench-objects.ts";
import { builtOperations, type BuiltOperation } from "./built-operations.ts";
import { readCorpus } from "./corpus.ts";
import { goodRequests } from "./good/all-requests.ts";
import { createFuzzScene } from "./good/fuzz-scene.ts";
import type { KnownValues } from "./known-values.ts";
import { withOwnSession } from "./operation-cases.ts";
import { goodRequest } from "./operation-requests.ts";
import { createRandom } from "./random.ts";
import { createApplicationFinder, createSession } from "./session.ts";
import { createStatistics } from "./statistics.ts";
import { startTarget, type Target } from "./target.ts";

const seed = 20_261_122;
/** Values that a schema leaves open may be such as are refused. */
const mostTries = 3;

const operations = builtOperations().map((built, index) => ({
  name: `${built.application.id}.${built.operation.name}`,
  built,
  index,
}));

test("every good request is for an operation that there is", () => {
  const names = new Set(operations.map(({ name }) => name));
  expect(Object.keys(goodRequests).filter((name) => !names.has(name))).toEqual([]);
});

describe.skipIf(!existsSync("dist/main.js"))("what is sent as good", () => {
  const corpus = readCorpus();
  const findApplication = createApplicationFinder();
  let target: Target;
  let known: KnownValues;
  beforeAll(async () => {
    target = await startTarget();
    known = await makeObjects(target);
  });
  afterAll(() => target.stop());

  const send = async (built: BuiltOperation, purpose: number) => {
    const random = createRandom(seed, purpose);
    const session = createSession(target, createStatistics(), findApplication);
    const scene = createFuzzScene(session, random, corpus);
    const request = await goodRequest({ random, known, corpus, scene }, built);
    return target.sendAlone(await withOwnSession(session, built.operation, request));
  };

  test.each(operations)("$name is accepted, and changes no document when it only reads", async ({ built, index }) => {
    const refusals: string[] = [];
    while (refusals.length < mostTries) {
      const { reply, changed } = await send(built, index * mostTries + refusals.length);
      // Requests that read are sent beside those whose changes are looked at.
      if (built.operation.method === "GET") expect(changed).toEqual([]);
      if (reply.status < 300) return;
      refusals.push(`${reply.status} ${reply.text.slice(0, 300)}`);
    }
    expect(refusals).toEqual([]);
  });
});
