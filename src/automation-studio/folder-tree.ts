import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { badRequest } from "../core/errors.ts";
import type { FolderNode } from "./project-schema.ts";

const Tree = Type.Array(
  Type.Recursive((Node) =>
    Type.Union([
      Type.Object({ nodeType: Type.Literal("component"), iid: Type.Integer() }),
      Type.Object({ nodeType: Type.Literal("folder"), name: Type.String(), children: Type.Array(Node) }),
    ]),
  ),
);

/** BAD_REQUEST unless this is a tree of folders and components. `at` is its JSON pointer in the request. */
export function requireTree(candidate: unknown, at: string): FolderNode[] {
  const problem = Value.Errors(Tree, candidate).First();
  if (!problem) return candidate as FolderNode[];
  const message = "must be a component with an iid, or a folder with a name and children";
  throw badRequest("The folders of the project are not a tree", [{ path: `${at}${problem.path}`, message }]);
}

/** `/`, or the names of the folders down to a component: `/Upgrade/Checks`. */
export function pathsOfComponents(folders: readonly FolderNode[]): Map<number, string> {
  const paths = new Map<number, string>();
  const visit = (nodes: readonly FolderNode[], path: string): void => {
    for (const node of nodes) {
      if (node.nodeType === "component") paths.set(node.iid, path === "" ? "/" : path);
      else visit(node.children ?? [], `${path}/${node.name}`);
    }
  };
  visit(folders, "");
  return paths;
}

/** The tree with the component at the end of its folder; folders on the way are made. */
export function withComponent(folders: readonly FolderNode[], iid: number, path: string): FolderNode[] {
  return placed(
    folders,
    path.split("/").filter((name) => name !== ""),
    { nodeType: "component", iid },
  );
}

function placed(nodes: readonly FolderNode[], path: readonly string[], component: FolderNode): FolderNode[] {
  const [name, ...rest] = path;
  if (name === undefined) return [...nodes, component];
  const isFolder = (node: FolderNode): boolean => node.nodeType === "folder" && node.name === name;
  if (!nodes.some(isFolder)) return [...nodes, { nodeType: "folder", name, children: placed([], rest, component) }];
  return nodes.map((node) =>
    node.nodeType === "folder" && isFolder(node) ? { ...node, children: placed(node.children, rest, component) } : node,
  );
}

/** The tree without the component; its folder stays. */
export function withoutComponent(folders: readonly FolderNode[], iid: number): FolderNode[] {
  return folders
    .filter((node) => node.nodeType === "folder" || node.iid !== iid)
    .map((node) =>
      node.nodeType === "folder" ? { ...node, children: withoutComponent(node.children ?? [], iid) } : node,
    );
}
