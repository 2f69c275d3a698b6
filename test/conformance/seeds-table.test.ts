import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applicationList } from "../../src/applications.ts";
import { host, type Application } from "../../src/core/application.ts";
import type { Authenticator } from "../../src/core/authenticator.ts";
import { silentLogger } from "../../src/core/logger.ts";
import type { Method, Operation } from "../../src/core/operation.ts";
import type { RoleName } from "../../src/core/roles.ts";
import { createHttpServer, type HttpServer } from "../../src/http/server.ts";
import { strictSchema } from "../../src/http/strict-schema.ts";
import { createValidatorFactory } from "../../src/core/validation/validator.ts";

interface Row {
  operation: string;
  method: Method;
  path: string;
  roles?: RoleName[];
}

interface Table {
  operations: Row[];
  /** Routes whose method the seeds do not show: GET shows the page, POST finishes the task (decision 8). */
  manualTasks: { operation: string; path: string }[];
}

const table = JSON.parse(readFileSync(new URL("./seeds-table.json", import.meta.url), "utf8")) as Table;

const everyRole: readonly RoleName[] = [
  "admin",
  "apiread",
  "apiwrite",
  "authoring",
  "engineering",
  "operations",
  "operator",
  "other",
  "readonly",
  "support",
];

interface Place {
  application: Application;
  operation: Operation;
}

const places: readonly Place[] = applicationList.flatMap((application) =>
  application.operations.map((operation) => ({ application, operation })),
);

const placesOf = (method: Method, path: string) =>
  places.filter(({ operation }) => operation.method === method && operation.path === path);

/** A token names the one role its caller has in every application. */
const authenticator: Authenticator = {
  authenticate: async (credentials) => {
    if (credentials.kind !== "token") return undefined;
    const role = credentials.token as RoleName;
    return {
      accountId: role,
      username: role,
      groupIds: [],
      isAdmin: false,
      isAllowed: (applicationId, name) =>
        places.some(
          ({ application, operation }) =>
            application.id === applicationId && operation.name === name && operation.roles.includes(role),
        ),
    };
  },
};

/** What a built operation does is tested elsewhere: here it only says that it was reached. */
function reachable(application: Application): Application {
  const operations = application.operations.map((operation): Operation => {
    const { params: _params, query: _query, body: _body, ...rest } = operation;
    return operation.handle ? { ...rest, handle: () => ({ reached: `${application.id}.${operation.name}` }) } : rest;
  });
  return { ...application, operations };
}

describe("operations of the seeds", () => {
  let server: HttpServer;
  beforeAll(async () => {
    server = await createHttpServer({
      applications: applicationList.map((application) => host(reachable(application), undefined)),
      authenticator,
      logger: silentLogger,
      clock: { now: () => 0, after: () => () => undefined },
      options: { version: "0.0.0" },
    });
  });
  afterAll(() => server.close());

  const call = (method: Method, path: string, role?: RoleName | "nobody") =>
    server.inject({
      method,
      url: path.replaceAll(/:\w+/gu, "x1"),
      headers: role ? { authorization: `Bearer ${role}` } : {},
    });

  const expectReached = async (method: Method, path: string, role: RoleName) => {
    const [place] = placesOf(method, path);
    if (!place) throw new Error(`${method} ${path} has no operation`);
    const { application, operation } = place;
    const reply = await call(method, path, role);
    const name = `${application.id}.${operation.name}`;
    expect([name, reply.statusCode]).toEqual([name, operation.handle ? (operation.status ?? 200) : 501]);
    expect(reply.body).toContain(operation.handle ? `"${name}"` : name);
  };

  const expectGuarded = async (method: Method, path: string) => {
    expect((await call(method, path)).statusCode).toBe(401);
    // Some are open to every account, which then may do only what is its own.
    const isForRoles = placesOf(method, path)[0]?.operation.roles !== "authenticated";
    if (isForRoles) expect((await call(method, path, "nobody")).statusCode).toBe(403);
    await expectReached(method, path, "admin");
  };

  test("the table is whole: 154 routes of document 2, 6 more of document 1, 10 manual tasks", () => {
    expect(table.operations).toHaveLength(160);
    expect(table.manualTasks).toHaveLength(10);
    expect(table.operations.filter(({ roles }) => roles)).toHaveLength(7);
  });

  test.each(table.operations)("$operation: $method $path", async ({ operation, method, path, roles }) => {
    const found = placesOf(method, path);
    expect(found.map((place) => place.operation.name)).toEqual([operation]);
    if (roles) expect(found[0]?.operation.roles).toEqual(roles);
    await expectGuarded(method, path);
  });

  test.each(table.manualTasks)("$operation: GET and POST $path", async ({ operation, path }) => {
    expect(placesOf("GET", path).map((place) => place.operation.name)).toEqual([operation]);
    expect(placesOf("POST", path)).toHaveLength(1);
    await expectGuarded("GET", path);
    await expectGuarded("POST", path);
  });

  test.each(table.operations.filter(({ roles }) => roles))(
    "$path is open to exactly $roles",
    async ({ method, path, roles = [] }) => {
      for (const role of everyRole) {
        if (roles.includes(role)) await expectReached(method, path, role);
        else expect([role, (await call(method, path, role)).statusCode]).toEqual([role, 403]);
      }
    },
  );

  test("what is left to build is told", () => {
    const built = table.operations.filter(
      ({ method, path }) => placesOf(method, path)[0]?.operation.handle !== undefined,
    );
    console.info(`${built.length} of 160 operations built, ${160 - built.length} answer 501`);
    expect(built.length).toBeGreaterThan(0);
  });
});

describe("every operation of the product", () => {
  test("has a name of its own within its application", () => {
    for (const application of applicationList) {
      const names = application.operations.map(({ name }) => name);
      expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
    }
  });

  test("belongs to an application with an id of its own", () => {
    const ids = applicationList.map(({ id }) => id);
    expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
  });

  test("has schemas that requests can be checked with", () => {
    const { forText, forJson } = createValidatorFactory();
    for (const { operation } of places) {
      const { params, query, body } = operation;
      if (params || query) forText({ ...(params && { params }), ...(query && { query }) })({}, 0);
      if (body) forJson({ body: strictSchema(body) })({}, 0);
    }
  });

  test("says in a sentence what it does", () => {
    const unclear = places.filter(({ operation }) => !/^[A-Z].{8,}[.?]$/u.test(operation.summary));
    expect(unclear.map(({ operation }) => operation.name)).toEqual([]);
  });
});
