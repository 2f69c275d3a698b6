import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applicationList } from "../../../src/applications.ts";
import { host, type Application } from "../../../src/core/application.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import type { Operation } from "../../../src/core/operation.ts";
import type { RoleName } from "../../../src/core/roles.ts";
import { createHttpServer, type HttpServer } from "../../../src/http/server.ts";
import { adminCaller, newPerson, openAccessBench, withoutBehaviour, type AccessBench } from "../../support/access.ts";

const roleNames: readonly RoleName[] = [
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

/** Every route of the product: each operation under each of its spellings. */
const routes = applicationList.flatMap((application) =>
  application.operations.flatMap((operation) =>
    [operation, ...(operation.aliases ?? [])].map(({ method, path }) => ({ application, operation, method, path })),
  ),
);
type Route = (typeof routes)[number];

let bench: AccessBench;
let server: HttpServer;
const tokens = new Map<string, string>();
let cells = 0;

beforeAll(async () => {
  bench = await openAccessBench();
  await bench.users.roles.generateRoles(applicationList);
  tokens.set("expired", (await newPerson(bench, "expired", rolesNamed("admin"))).token);
  await bench.clock.advance(61 * 60_000);
  for (const name of roleNames) tokens.set(name, (await newPerson(bench, `person-${name}`, rolesNamed(name))).token);
  tokens.set("none of the roles", (await newPerson(bench, "nobody")).token);
  for (const { id } of applicationList) {
    const elsewhere = rolesNamed("admin").filter((role) => !role.startsWith(`${id}:`));
    tokens.set(`admin elsewhere than ${id}`, (await newPerson(bench, `not-${id}`, elsewhere)).token);
  }
  const revoked = await newPerson(bench, "revoked", rolesNamed("admin"));
  await bench.users.accounts.forceLogout(revoked.id, adminCaller);
  tokens.set("revoked", revoked.token);
  const inactive = await newPerson(bench, "inactive", rolesNamed("admin"));
  await bench.users.accounts.update(inactive.id, { inactive: true }, adminCaller);
  tokens.set("inactive", inactive.token);
  server = await createHttpServer({
    applications: applicationList.map((application) => host(withoutBehaviour(application), undefined)),
    authenticator: bench.auth.authenticator,
    logger: silentLogger,
    clock: bench.clock,
    options: { version: "0" },
  });
}, 120_000);

afterAll(async () => {
  await server.close();
  await bench.close();
  console.log(`access matrix: ${routes.length} routes, ${cells} cells`);
});

describe("access matrix", () => {
  it("has a role list, or says public or authenticated, for every operation", () => {
    const undecided = routes.filter(({ operation: { roles } }) => {
      const isListed = roles.length > 0 && typeof roles !== "string" && roles.every((role) => roleNames.includes(role));
      return !isListed && roles !== "public" && roles !== "authenticated";
    });
    expect(undecided.map(describeRoute)).toEqual([]);
  });

  it.each(["", "expired", "revoked", "inactive", "made up"])(
    "answers 401 to %j credentials, unless it is public",
    async (credentials) => {
      const token = credentials === "" ? undefined : (tokens.get(credentials) ?? "made-up-token");
      const expected = ({ operation }: Route) => (operation.roles === "public" ? "admitted" : 401);
      expect(await wrongCells(() => token, expected)).toEqual([]);
    },
  );

  it.each(roleNames)("lets role %s do what lists it, and answers 403 for the rest", async (role) => {
    const isListed = ({ roles }: Operation) => typeof roles === "string" || roles.includes(role);
    const expected = ({ operation }: Route) => (isListed(operation) ? "admitted" : 403);
    expect(await wrongCells(() => tokens.get(role), expected)).toEqual([]);
  });

  it.each(["no role", "roles of other applications"])("answers 403 to an account with %s", async (kind) => {
    const tokenFor = ({ application }: Route) =>
      tokens.get(kind === "no role" ? "none of the roles" : `admin elsewhere than ${application.id}`);
    const expected = ({ operation }: Route) => (typeof operation.roles === "string" ? "admitted" : 403);
    expect(await wrongCells(tokenFor, expected)).toEqual([]);
  });

  it("refuses every change that another site makes a browser send with its cookie", async () => {
    const headers = { cookie: `token=${tokens.get("admin")}`, origin: "https://elsewhere.example" };
    const changing = routes.filter(({ method }) => method !== "GET");
    const statuses = await Promise.all(changing.map((route) => statusOf(route, headers)));
    expect(changing.filter((_, index) => statuses[index] !== 403).map(describeRoute)).toEqual([]);
  });
});

describe("generated roles", () => {
  const seedRoles: Record<string, readonly string[]> = {
    "POST /orchestrator_manager/restAction/:adapterId": ["admin"],
    "POST /orchestrator_manager/restQuery/:adapterId": ["admin"],
    "POST /automationgateway/http_requests/request/execute": ["admin"],
    "POST /operations-manager/automations": ["admin", "apiwrite", "engineering"],
    "GET /health/system": ["admin", "apiread"],
    "POST /automation_catalog/automations": ["admin", "other", "apiread"],
    "POST /json-forms/forms": ["admin", "other", "readonly", "apiread", "operator"],
  };

  it.each(Object.entries(seedRoles))("allow %s to exactly %j", async (seedRoute, expected) => {
    const route = routes.find(({ method, path }) => `${method} ${path}` === seedRoute);
    const { id = "", name = "" } = { id: route?.application.id, name: route?.operation.name };
    const documents = await bench.users.roles.list({ equals: id, equalsField: "provenance" });
    const allowing = documents.results.filter((role) =>
      role.allowedMethods.some((method) => method.name === name && method.provenance === id),
    );
    expect(allowing.map((role) => role.name).sort()).toEqual([...expected].sort());
  });

  it("are one per application and role name, with the operations that list it and no others", async () => {
    const { results } = await bench.users.roles.list({});
    const expected = applicationList.flatMap((application) =>
      roleNames.flatMap((name) => {
        const methods = listing(application, name).map((operation) => operation.name);
        return methods.length > 0 ? [{ role: `${application.id}:${name}`, methods: methods.sort() }] : [];
      }),
    );
    const actual = results.map((role) => ({
      role: `${role.provenance}:${role.name}`,
      methods: role.allowedMethods.map((method) => method.name).sort(),
    }));
    const byRole = (a: { role: string }, b: { role: string }) => (a.role < b.role ? -1 : 1);
    expect(actual.sort(byRole)).toEqual(expected.sort(byRole));
  });
});

function listing(application: Application, role: RoleName): Operation[] {
  return application.operations.filter(({ roles }) => typeof roles !== "string" && roles.includes(role));
}

/** The role of that name in every application that has it. */
function rolesNamed(role: RoleName): string[] {
  return applicationList
    .filter((application) => listing(application, role).length > 0)
    .map(({ id }) => `${id}:${role}`);
}

/**
 * Routes whose status is not the expected one. Admitted means: the handler answered, or the request
 * was looked at and found wanting.
 */
async function wrongCells(
  tokenFor: (route: Route) => string | undefined,
  expected: (route: Route) => number | "admitted",
): Promise<string[]> {
  const wrong: string[] = [];
  for (const route of routes) {
    const token = tokenFor(route);
    const status = await statusOf(route, token === undefined ? {} : { authorization: `Bearer ${token}` });
    const wanted = expected(route);
    const isRight = wanted === "admitted" ? [route.operation.status ?? 200, 400].includes(status) : status === wanted;
    if (!isRight) wrong.push(`${describeRoute(route)}: ${status} instead of ${wanted}`);
  }
  return wrong;
}

async function statusOf(route: Route, headers: Record<string, string>): Promise<number> {
  cells += 1;
  return (await server.inject({ method: route.method, url: urlOf(route), headers })).statusCode;
}

function urlOf({ path }: Route): string {
  return path.replace(/:[A-Za-z_]\w*/gu, "x").replace("*", "x/y");
}

function describeRoute({ application, operation, method, path }: Route): string {
  return `${method} ${path} (${application.id}.${operation.name})`;
}
