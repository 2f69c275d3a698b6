import type { TestPlatform, TestReply } from "./platform.ts";
import type { SearchPerson } from "./search-people.ts";
import { workflowOf } from "./workflow-builder.ts";

/** A stored workflow, as far as its name and id. */
export interface NamedWorkflow {
  _id: string;
  name: string;
}

/** A request that names a workflow, and what its answer is to those who see the workflow and to those who do not. */
export interface SightRoute {
  name: string;
  method: string;
  /** Roles that may: all that read, those that work on jobs too, or those that write. */
  roles: "read" | "work" | "write";
  path(workflow: NamedWorkflow): string;
  body?(workflow: NamedWorkflow): unknown;
  /** Does the answer show that there is such a workflow? */
  shows(reply: TestReply, workflow: NamedWorkflow): boolean;
}

const isThere = ({ status }: TestReply): boolean => {
  if (status !== 200 && status !== 404) throw new Error(`neither there nor absent: ${status}`);
  return status === 200;
};
const isListed = (member: "items" | "results") => (reply: TestReply, workflow: NamedWorkflow) => {
  const { [member]: found = [], total } = reply.body as { [member in string]?: NamedWorkflow[] } & { total: number };
  if (found.length !== total) throw new Error(`the total is ${total}`);
  return found.some(({ name }) => name === workflow.name);
};
const calling = ({ name }: NamedWorkflow) => ({
  task: "",
  workflow: name,
  variables: {},
  data_array: "",
  transformation: "",
  loopType: "",
});
const callingWorkflow = (workflow: NamedWorkflow) => ({
  workflow: workflowOf(
    "calls",
    { c: { name: "childJob", type: "operation", actor: "job", incoming: calling(workflow) } },
    ["start > c", "c > end"],
  ),
});
/** A name that is not known is told as a doubtful place. */
const isKnownName = (reply: TestReply, { name }: NamedWorkflow) =>
  !JSON.stringify(reply.body).includes(`Cannot find workflow ${name}`);
const encoded = encodeURIComponent;

/** Every way in which somebody reads a workflow by naming it. */
const readingRoutes: readonly SightRoute[] = [
  {
    name: "list",
    method: "GET",
    roles: "read",
    path: ({ name }) => `/automation-studio/workflows?equals[name]=${encoded(name)}`,
    shows: isListed("items"),
  },
  {
    name: "search",
    method: "POST",
    roles: "read",
    path: () => "/workflow_engine/workflows/search",
    body: ({ name }) => ({ options: { query: { name } } }),
    shows: isListed("results"),
  },
  ...[
    "/automation-studio/workflows/detailed",
    "/workflow_engine/workflows/detailed",
    "/workflow_engine/workflows/variables",
  ].flatMap((place): SightRoute[] =>
    (["name", "_id"] as const).map((by) => ({
      name: `${place} by ${by}`,
      method: "GET",
      roles: "read",
      path: (workflow) => `${place}/${encoded(workflow[by])}`,
      shows: isThere,
    })),
  ),
  ...(["name", "_id"] as const).map((by): SightRoute => ({
    name: `groups by ${by}`,
    method: "GET",
    roles: "read",
    path: (workflow) => `/workflow_builder/workflows/${encoded(workflow[by])}/groups`,
    shows: isThere,
  })),
  ...(["name", "_id"] as const).map((by): SightRoute => ({
    name: `export by ${by}`,
    method: "POST",
    roles: "read",
    path: () => "/workflow_builder/export",
    body: (workflow) => ({ options: { [by]: workflow[by] } }),
    shows: isThere,
  })),
  ...["/automation-studio", "/workflow_engine"].map((place): SightRoute => ({
    name: `${place} validation of who calls it`,
    method: "POST",
    roles: "read",
    path: () => `${place}/workflows/validate`,
    body: callingWorkflow,
    shows: isKnownName,
  })),
];

/** Every way in which somebody changes or runs a workflow by naming it. */
const writingRoutes: readonly SightRoute[] = [
  {
    name: "trial of a task that calls it",
    method: "POST",
    roles: "write",
    path: () => "/workflow_engine/tasks/try",
    body: (workflow) => ({ task: "childJob", incoming: calling(workflow) }),
    shows: isKnownName,
  },
  {
    name: "start",
    method: "POST",
    roles: "work",
    path: ({ name }) => `/workflow_engine/startJobWithOptions/${encoded(name)}`,
    body: () => ({ options: {} }),
    shows: isThere,
  },
  {
    name: "update",
    method: "PUT",
    roles: "write",
    path: ({ _id }) => `/automation-studio/automations/${_id}`,
    body: () => ({ update: { description: "changed" } }),
    shows: isThere,
  },
  {
    name: "rename",
    method: "POST",
    roles: "write",
    path: () => "/workflow_builder/workflows/rename",
    body: ({ name }) => ({ workflow: name, newName: `${name} renamed` }),
    shows: isThere,
  },
  {
    name: "save by id",
    method: "POST",
    roles: "write",
    path: () => "/workflow_builder/workflows/save",
    body: ({ _id, name }) => {
      // Groups that are not given stay; to open it is for administrators.
      const { groups: _, ...workflow } = workflowOf(`${name} saved`, {}, ["start > end"]);
      return { workflow: { ...workflow, _id } };
    },
    // To others the id means nothing: theirs is another workflow, under an id of its own.
    shows: ({ body }, { _id }) => (body as NamedWorkflow)._id === _id,
  },
  {
    name: "delete by name",
    method: "DELETE",
    roles: "write",
    path: ({ name }) => `/workflow_builder/workflows/delete/${encoded(name)}`,
    shows: isThere,
  },
  {
    name: "delete by id",
    method: "DELETE",
    roles: "write",
    path: ({ _id }) => `/workflow_builder/workflows/delete/${_id}`,
    shows: isThere,
  },
  {
    name: "project made of it",
    method: "POST",
    roles: "write",
    path: () => "/automation-studio/projects",
    body: ({ _id, name }) => ({ name: `project ${name}`, components: [{ type: "workflow", reference: _id }] }),
    shows: isThere,
  },
];

/** Every route that answers for a workflow which the request names. */
export const sightRoutes: readonly SightRoute[] = [...readingRoutes, ...writingRoutes];

/** Stores a workflow of these groups, as the administrator. */
export async function storeWorkflow(
  platform: TestPlatform,
  name: string,
  groups: readonly unknown[],
): Promise<NamedWorkflow> {
  const automation = { ...workflowOf(name, {}, ["start > end"]), groups };
  const path = "/automation-studio/automations";
  return (await platform.send<{ created: NamedWorkflow }>("POST", path, { automation })).created;
}

/** Sends the request of a route about a workflow; nobody: the administrator. */
export function sendAbout(
  platform: TestPlatform,
  route: SightRoute,
  workflow: NamedWorkflow,
  person?: SearchPerson,
): Promise<TestReply> {
  return platform.request(route.method, route.path(workflow), route.body?.(workflow), person?.token);
}
