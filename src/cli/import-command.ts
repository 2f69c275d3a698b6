import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { CommandError, type ApiClient } from "./api-client.ts";
import { showResult, type Output } from "./output.ts";

type Document = Record<string, unknown>;

/** A kind of file that can be imported: how it is known, and the request that imports it. */
interface FileKind {
  kind: string;
  isKind(document: Document): boolean;
  load(client: ApiClient, document: Document): Promise<void>;
}

const has = (document: Document, ...members: string[]) => members.every((member) => Object.hasOwn(document, member));

const fileKinds: readonly FileKind[] = [
  {
    kind: "prebuilt",
    isKind: (document) => has(document, "metadata", "manifest", "bundles"),
    load: loadPrebuilt,
  },
  {
    kind: "project",
    isKind: (document) => has(document, "name", "components"),
    load: async (client, project) => {
      await client.request("POST", "/automation-studio/projects/import", { project, conflictMode: "overwrite" });
    },
  },
  {
    kind: "workflow",
    isKind: (document) => has(document, "tasks", "transitions"),
    load: async (client, workflow) => {
      await client.request("POST", "/workflow_builder/import", { workflow, options: {} });
    },
  },
  {
    kind: "transformation",
    isKind: (document) => has(document, "incoming", "outgoing", "steps"),
    load: async (client, transformation) => {
      await client.request("POST", "/transformations/import", { transformation });
    },
  },
  {
    kind: "command template",
    isKind: (document) => has(document, "commands", "passRule"),
    load: async (client, template) => {
      await client.request("POST", "/mop/import", { type: "templates", template });
    },
  },
];

/** Components of a prebuilt, each by its own kind; workflows last, because they refer to the others. */
async function loadPrebuilt(client: ApiClient, { bundles }: Document): Promise<void> {
  const components = bundles as { type: string; data: Document }[];
  const isWorkflow = ({ data }: { data: Document }) => kindOf(data)?.kind === "workflow";
  const ordered = [...components.filter((one) => !isWorkflow(one)), ...components.filter(isWorkflow)];
  for (const bundle of ordered) {
    const kind = kindOf(bundle.data);
    if (!kind)
      throw new CommandError(`The prebuilt holds a component of type ${bundle.type}, which cannot be imported yet.`);
    await kind.load(client, bundle.data);
  }
}

function kindOf(document: Document): FileKind | undefined {
  return fileKinds.find((candidate) => candidate.isKind(document));
}

/** `linewright import`: imports each file as what it is. Stops at the first that cannot be imported. */
export async function importFiles(client: ApiClient, output: Output, files: readonly string[]): Promise<number> {
  for (const file of files) {
    const document = await readDocument(file);
    const kind = kindOf(document);
    if (!kind) {
      const known = fileKinds.map((candidate) => candidate.kind).join(", ");
      throw new CommandError(`${file} is none of: ${known}.`, "Check that it is an exported document.");
    }
    await kind.load(client, document);
    const name = document["name"] ?? (document["metadata"] as Document | undefined)?.["name"];
    const imported = { file, kind: kind.kind, name: typeof name === "string" ? name : basename(file) };
    showResult(output, imported, () => `Imported ${imported.kind} ${imported.name}.`);
  }
  return 0;
}

async function readDocument(file: string): Promise<Document> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) throw new CommandError(`Cannot read ${file}.`, "Check the path.");
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document === "object" && document !== null && !Array.isArray(document)) return document as Document;
  } catch {
    // Told below, together with files that hold something else.
  }
  throw new CommandError(`${file} is not a JSON document.`);
}
