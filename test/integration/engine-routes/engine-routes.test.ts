import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createValidatorFactory } from "../../../src/core/validation/validator.ts";
import { strictSchema } from "../../../src/http/strict-schema.ts";
import { checkReply } from "../../fuzz/check-reply.ts";
import type { TestReply } from "../../support/platform.ts";
import { historyRows } from "./history-rows.ts";
import { jobRows } from "./job-rows.ts";
import { manualRows } from "./manual-rows.ts";
import { repairRows } from "./repair-rows.ts";
import {
  engineRoutes,
  isNotApplicable,
  sentCall,
  withValue,
  type BadCase,
  type Call,
  type EngineRoute,
  type RouteRow,
} from "./route-row.ts";
import { openStage, unknownJob, type Scene, type Stage } from "./scene.ts";
import { searchRows } from "./search-rows.ts";
import { sharingRows } from "./sharing-rows.ts";
import { watchRows } from "./watch-rows.ts";
import { workflowRows } from "./workflow-rows.ts";

const rows: Readonly<Record<string, RouteRow>> = {
  ...jobRows,
  ...repairRows,
  ...sharingRows,
  ...manualRows,
  ...searchRows,
  ...historyRows,
  ...watchRows,
  ...workflowRows,
};

const testedRoutes = engineRoutes.flatMap((route) => {
  const row = rows[route.name];
  return row ? [{ ...route, row }] : [];
});
type TestedRoute = (typeof testedRoutes)[number];

const validators = createValidatorFactory();
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** Credentials: a token, `null` for none, the administrator's when there is nothing. */
type Token = string | null | undefined;

async function send(route: EngineRoute, call: Call, token: Token, spelling = 0): Promise<TestReply> {
  const spellings = [route.operation, ...(route.operation.aliases ?? [])];
  const { method, path, body } = sentCall(spellings[spelling] ?? route.operation, call);
  if (route.operation.responseType === "text/event-stream") return openStream(path, token);
  return stage.platform.request(method, path, body, token);
}

/** The answer to who wants to follow; what would be told is not waited for. */
async function openStream(path: string, token: Token): Promise<TestReply> {
  const leaving = new AbortController();
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const reply = await fetch(new URL(path, stage.platform.platform.url), { headers, signal: leaving.signal });
  const text = reply.ok ? "" : await reply.text();
  leaving.abort();
  return { status: reply.status, body: text === "" ? "" : JSON.parse(text), headers: reply.headers };
}

/** Sends as who may: the member of the group where the roles allow it. */
function sendGood(route: TestedRoute, call: Call, spelling = 0): Promise<TestReply> {
  const { roles } = route.operation;
  const isForMember = typeof roles === "string" || roles.includes("engineering");
  return send(route, call, isForMember && route.row.as !== "admin" ? stage.member.token : undefined, spelling);
}

function expectSuccess({ operation }: TestedRoute, reply: TestReply): void {
  expect([reply.status, reply.status === (operation.status ?? 200) ? undefined : reply.body]).toEqual([
    operation.status ?? 200,
    undefined,
  ]);
  expect(reply.headers.get("content-type")).toContain(operation.responseType ?? "application/json");
}

/** An answer has the shape that the reference shows, and no member that it does not show. */
function expectDocumented({ operation }: TestedRoute, { body }: TestReply): void {
  if ((operation.responseType ?? "application/json") !== "application/json") return;
  const check = validators.forJson({ response: strictSchema(operation.response) });
  expect(check({ response: body }, 0)).toEqual([]);
}

function expectRefusal(route: TestedRoute, reply: TestReply, status: number): void {
  expect([reply.status, reply.status === status ? undefined : reply.body]).toEqual([status, undefined]);
  const { method, path } = route.operation;
  const shown = {
    status,
    headers: Object.fromEntries(reply.headers),
    ms: 0,
    text: JSON.stringify(reply.body),
  };
  expect(checkReply({ method, path, headers: {} }, shown, route.application)).toBe(undefined);
}

/** A case: what a good request needs is made, others are refused and change nothing, and the good one still succeeds. */
async function afterRefusals(route: TestedRoute, refuse: (call: Call, scene: Scene) => Promise<void>): Promise<void> {
  const scene = stage.scene();
  const call = await route.row.good(scene);
  const before = await scene.jobs();
  await refuse(call, scene);
  expect(await scene.jobs()).toEqual(before);
  expectSuccess(route, await sendGood(route, call));
  await route.row.tidy?.(scene);
}

/** What the schemas say by themselves: members that are needed, and that others are refused. */
function schemaCases({ operation: { body, isBodyOptional, method } }: EngineRoute): BadCase[] {
  if (!body) return method === "GET" ? [] : [["/body/surplus", 1]];
  const strict = strictSchema(body) as { additionalProperties?: boolean; required?: string[] };
  return [
    ["/body", [], "/body"],
    ...(isBodyOptional ? [] : [["/body", undefined] as const]),
    ...(strict.required ?? []).map((name) => [`/body/${name}`, undefined] as const),
    ...(strict.additionalProperties === false ? [["/body/surplus", 1] as const] : []),
  ];
}

describe("the table of routes", () => {
  it("has a row for every built operation of the engine, and no other", () => {
    expect(Object.keys(rows).sort()).toEqual(engineRoutes.map(({ name }) => name).sort());
  });

  it("tries each operation with bad input, an unknown name and another group, or says why not", () => {
    const empty = Object.entries(rows).filter(([, { bad, unknown }]) =>
      [bad, unknown].some((cases) => (isNotApplicable(cases) ? cases.notApplicable : cases).length === 0),
    );
    expect(empty.map(([name]) => name)).toEqual([]);
  });
});

describe.each(testedRoutes)("$operation.method $operation.path ($name)", (route) => {
  const { row, operation } = route;
  const spellings = [operation.path, ...(operation.aliases ?? []).map(({ path }) => path)];

  it.each(spellings.map((path, spelling) => ({ path, spelling })))(
    "answers $path as documented",
    async ({ spelling }) => {
      const scene = stage.scene();
      const call = await row.good(scene);
      const reply = await sendGood(route, call, spelling);
      expectSuccess(route, reply);
      expectDocumented(route, reply);
      if (row.shows) expectShown(reply.body, row.shows(call, scene));
      await row.tidy?.(scene);
    },
  );

  it("refuses bad input and names the place", () =>
    afterRefusals(route, async (call) => {
      const cases = [...schemaCases(route), ...(isNotApplicable(row.bad) ? [] : row.bad)];
      for (const [at, value, reportedAt = at] of cases) {
        const reply = await sendGood(route, withValue(call, at, value));
        expect([at, value, reply.status]).toEqual([at, value, 400]);
        expectRefusal(route, reply, 400);
        const { metadata } = reply.body as { metadata: { errors: { path: string }[] } };
        expect([at, value, metadata.errors.map(({ path }) => path)]).toEqual([
          at,
          value,
          expect.arrayContaining([reportedAt]),
        ]);
      }
    }));

  if (!isNotApplicable(row.unknown)) {
    const { unknown } = row;
    it("does not know what does not exist", () =>
      afterRefusals(route, async (call) => {
        for (const place of unknown) {
          const [at, value] = typeof place === "string" ? [place, unknownJob] : place;
          const reply = await sendGood(route, withValue(call, at, value));
          expect([at, reply.status]).toEqual([at, 404]);
          expectRefusal(route, reply, 404);
        }
      }));
  }

  if (operation.roles !== "public") {
    it("is for those whose roles allow it, and who may see the job or the workflow", () =>
      afterRefusals(route, async (call) => {
        expectRefusal(route, await send(route, call, null), 401);
        expectRefusal(route, await send(route, call, stage.tokenWithoutRole(operation)), 403);
        if (row.otherGroup !== "refused") return;
        expectRefusal(route, await send(route, call, stage.outsider.token), 404);
      }));
  }

  if (row.otherGroup === "absent") {
    it("shows nothing of the job or the workflow to people of other groups", () =>
      afterRefusals(route, async (call, scene) => {
        const reply = await send(route, call, stage.outsider.token);
        expectSuccess(route, reply);
        expect(JSON.stringify(reply.body)).not.toContain(scene.lastMade());
        expect(JSON.stringify((await sendGood(route, call)).body)).toContain(scene.lastMade());
      }));
  }
});

function expectShown(body: unknown, shown: unknown): void {
  if (typeof shown === "object" && shown !== null && !("asymmetricMatch" in shown)) expect(body).toMatchObject(shown);
  else expect(body).toEqual(shown);
}
