import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "../../src/core/json.ts";
import { childWorkflows, faultWorkflows } from "../faults/shapes.ts";

/** Kinds of documents that are mutated. */
export type DocumentKind = "workflow" | "transformation" | "commandTemplate" | "project";

/** Good documents of every kind. Own ones come first. */
export type Corpus = Readonly<Record<DocumentKind, readonly Members[]>>;
type Members = Record<string, unknown>;

const root = join(import.meta.dirname, "../..");
// Bigger ones would only slow the run down.
const largestProjectBytes = 400_000;

/** As many workflows of a corpus, the first of them, are sure to be ours: good, and doing something when they run. */
export const ownWorkflows = 7;

/** Own documents, those of the examples, and published ones where they lie beside the project. */
export function readCorpus(): Corpus {
  const published = [
    ...jsonFiles(join(root, "examples/projects")),
    ...jsonFiles(join(root, "../shared/assets/projects")),
  ];
  const projects = published.map(({ document }) => document);
  const bundles = jsonFiles(join(root, "../shared/golden")).filter(({ path }) => path.includes("/bundles/"));
  const bundlesOf = (folder: string) =>
    bundles.flatMap(({ path, document }) => (path.includes(`/${folder}/`) ? [document] : []));
  return {
    workflow: [
      ...faultWorkflows(0).map((workflow): Members => ({ ...workflow })),
      ...componentsOf(projects, "workflow"),
      ...bundlesOf("workflows"),
    ],
    transformation: [plainTransformation, ...componentsOf(projects, "transformation"), ...bundlesOf("transformations")],
    commandTemplate: [
      plainCommandTemplate,
      ...jsonFiles(join(root, "examples/command-templates")).map(({ document }) => document),
      ...componentsOf(projects, "mopCommandTemplate"),
    ],
    project: [
      plainProject,
      ...published.flatMap(({ document, bytes }) => (bytes < largestProjectBytes ? [document] : [])),
    ],
  };
}

function componentsOf(projects: readonly Members[], type: string): Members[] {
  return projects.flatMap(({ components }) => {
    const list: unknown[] = Array.isArray(components) ? components : [];
    return list.flatMap((component) => {
      const document = isJsonObject(component) && component["type"] === type ? component["document"] : undefined;
      return isJsonObject(document) ? [document] : [];
    });
  });
}

interface JsonFile {
  path: string;
  bytes: number;
  document: Members;
}

function jsonFiles(folder: string): JsonFile[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
  return names.toSorted().flatMap((name) => {
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    const document: unknown = JSON.parse(text);
    return isJsonObject(document) ? [{ path, bytes: text.length, document }] : [];
  });
}

const plainTransformation: Members = {
  name: "fuzz transformation",
  incoming: [{ $id: "list", type: "array", items: { type: "string" } }],
  outgoing: [{ $id: "text", type: "string" }],
  steps: [
    { id: 1, type: "method", library: "Array", method: "join", args: [null, ","] },
    {
      id: 2,
      type: "assign",
      from: { location: "incoming", name: "list", ptr: "" },
      to: { location: "method", name: 1, ptr: "/args/0/value" },
    },
    {
      id: 3,
      type: "assign",
      from: { location: "method", name: 1, ptr: "/return" },
      to: { location: "outgoing", name: "text", ptr: "" },
    },
  ],
  functions: [],
};

const plainCommandTemplate: Members = {
  name: "fuzz command template",
  description: "",
  os: "",
  passRule: true,
  commands: [
    {
      command: "show interface <!interface!>",
      passRule: true,
      rules: [
        { rule: "up", eval: "contains", severity: "error" },
        { rule: "MTU (\\d+)", eval: "RegEx", flags: { case: true, global: false, multiline: true } },
        { rule: "10", eval: "#comparison", ruleB: "20", evaluator: "<", percentage: 5 },
      ],
    },
  ],
};

const plainProject: Members = {
  _id: "6b7f3c2a9d1e4f5061720000",
  name: "fuzz project",
  description: "",
  components: [
    {
      iid: 0,
      reference: "3f6f2b0e-8f0a-4e1c-9a57-0c6d2b1e0000",
      type: "workflow",
      folder: "/",
      document: { ...childWorkflows[0], _id: "3f6f2b0e-8f0a-4e1c-9a57-0c6d2b1e0000" },
    },
    {
      iid: 1,
      reference: "6b7f3c2a9d1e4f5061720001",
      type: "transformation",
      folder: "/",
      document: { ...plainTransformation, _id: "6b7f3c2a9d1e4f5061720001" },
    },
    {
      iid: 2,
      reference: "fuzz command template",
      type: "mopCommandTemplate",
      folder: "/",
      document: { ...plainCommandTemplate, _id: "fuzz command template" },
    },
  ],
  folders: [
    { nodeType: "component", iid: 0 },
    { nodeType: "folder", name: "more", children: [{ nodeType: "component", iid: 1 }] },
    { nodeType: "component", iid: 2 },
  ],
};
