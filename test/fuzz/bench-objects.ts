import { faultWorkflows } from "../faults/shapes.ts";
import { parsed } from "./check-reply.ts";
import { commonNames, makeCommonObjects } from "./good/common-objects.ts";
import { createKnownValues, type KnownValues } from "./known-values.ts";
import { jsonRequest, type Target } from "./target.ts";

/** Makes good objects of many kinds, so that requests meet something; answers what they are called. */
export async function makeObjects(target: Target): Promise<KnownValues> {
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const { status, text } = await target.send(jsonRequest(method, path, body));
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${text}`);
    return parsed(text);
  };
  const administrator = (await ask("GET", "/whoami")) as Record<string, unknown>;
  const kept = Object.values(administrator).filter((value): value is string => typeof value === "string");
  const known = createKnownValues(new Set(["admin", ...commonNames, ...kept, ...(await builtInRoles(ask))]));
  const make = async (path: string, body: unknown): Promise<unknown> => {
    const reply = await ask("POST", path, body);
    known.learn(reply);
    return reply;
  };
  await makeCommonObjects((path, body) => ask("POST", path, body), target.routerPort);
  // The first link that is asked for makes the key that signs links. Later that would be laid to another request.
  await ask("GET", "/workflow_engine/metrics/jobs");
  for (const workflow of faultWorkflows(Date.now())) await make("/workflow_builder/import", { workflow, options: {} });
  const device = { name: "fuzz device", host: "127.0.0.1", port: 9, platform: "frr", username: "u", password: "p" };
  await make("/inventory/devices", device);
  await make("/mop/createTemplate", {
    mop: { name: "fuzz commands", commands: [{ command: "show version", rules: [] }] },
  });
  await make("/automation-studio/projects", { name: "fuzz objects" });
  await make("/user-management/accounts", { account: { username: "fuzz-guest", password: "a-long-enough-password" } });
  await make("/operations-manager/jobs/start", { workflow: "fault manual", options: { variables: { seen: [] } } });
  known.learn(await ask("GET", "/operations-manager/tasks"));
  return known;
}

/** The platform's own roles are to stay what they are: the administrator has them. */
async function builtInRoles(ask: (method: string, path: string) => Promise<unknown>): Promise<string[]> {
  const { results } = (await ask("GET", "/authorization/roles?limit=1000")) as { results: { _id: string }[] };
  return results.map(({ _id }) => _id);
}
