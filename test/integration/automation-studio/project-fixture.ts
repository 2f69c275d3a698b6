import { workflowOf } from "../../support/workflow-builder.ts";
import { listOf, type AnyBody, type StudioServer } from "./studio-server.ts";

export const projectId = "64a0c0ffee64a0c0ffee64a0";
export const projectsPath = "/automation-studio/projects";
export const prefix = `@${projectId}: `;
export const transformationId = "64a0000000000000000000a1";

export const transformation = (name: string, _id: string) => ({
  _id,
  name,
  incoming: [{ $id: "x" }],
  outgoing: [{ $id: "y" }],
  steps: [],
  functions: [],
});

/** A project of every kind of component, in an order of members of its own. */
export const projectFile = () => {
  const calls = workflowOf(
    "Parent",
    {
      a: { name: "childJob", type: "operation", actor: "job", incoming: { workflow: `${prefix}Child`, variables: {} } },
      b: {
        name: "transformation",
        type: "operation",
        incoming: { tr_id: transformationId, variableMap: { x: "$var.job.v" } },
        outgoing: { y: null },
      },
      c: { name: "RunCommandTemplate", app: "MOP", incoming: { template: `${prefix}Checks` } },
    },
    ["start > a", "a > b", "b > c", "c > end"],
  );
  return {
    name: "Campus",
    _id: projectId,
    vendorMember: [1, { z: null }],
    components: [
      { iid: 4, type: "workflow", reference: "8cfee39c-0736-4f9c-b24f-b78fed3c66d2", folder: "/Jobs", document: calls },
      {
        iid: 1,
        reference: "4fb7dc7d-73ee-4593-b1c8-6b3809c59316",
        type: "workflow",
        folder: "/",
        document: workflowOf("Child", {}, ["start > end"]),
      },
      {
        iid: 2,
        type: "transformation",
        reference: "64a0000000000000000000ff",
        folder: "/Jobs",
        document: transformation("Shape", transformationId),
      },
      {
        iid: 3,
        type: "template",
        reference: "64a0000000000000000000b2",
        folder: "/",
        document: { name: "Banner", _id: "64a0000000000000000000b2", type: "jinja2", template: "hi" },
      },
      {
        iid: 5,
        type: "jsonForm",
        reference: "64a0000000000000000000c3",
        folder: "/",
        document: { id: "64a0000000000000000000c3", name: "Ask", schema: {} },
      },
      {
        iid: 6,
        type: "mopCommandTemplate",
        reference: `${prefix}Checks`,
        folder: "/",
        document: { os: "", name: "Checks", commands: [] },
      },
      {
        iid: 7,
        type: "mopAnalyticTemplate",
        reference: `${prefix}Compare`,
        folder: "/",
        document: { name: "Compare", prepostCommands: [] },
      },
    ],
    folders: [
      {
        nodeType: "folder",
        name: "Jobs",
        children: [
          { nodeType: "component", iid: 4 },
          { nodeType: "component", iid: 2 },
        ],
      },
      ...[1, 3, 5, 6, 7].map((iid) => ({ nodeType: "component", iid })),
    ],
    created: "2024-08-29T08:12:50.933Z",
    createdBy: { _id: "66d1", provenance: "Okta", username: "ada" },
    iid: 70,
  };
};

const collections = [
  "projects",
  "workflows",
  "transformations",
  "templates",
  "json_forms",
  "mop_templates",
  "mop_analytic_templates",
];

/** What tests of projects do again and again. */
export function projectCalls(server: StudioServer) {
  return {
    importFile: (project: object, options: object = {}) =>
      server.send("POST", `${projectsPath}/import`, { project, ...options }),
    exportFile: async (id: string): Promise<AnyBody | undefined> =>
      (await server.send("GET", `${projectsPath}/${id}/export`)).body["data"],
    /** How many documents each collection holds. */
    async everything(): Promise<Record<string, number>> {
      const counts = collections.map(async (name) => [name, await server.store.count(name, {})] as const);
      return Object.fromEntries(await Promise.all(counts));
    },
    /** Places that an error names. */
    places: (body: AnyBody) => listOf<{ path: string }>(body["metadata"]?.["errors"]).map(({ path }) => path),
  };
}
