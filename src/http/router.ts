import type { Method } from "../core/operation.ts";

/** A path pattern of a method, and what it leads to. */
export interface RouteDefinition<Target> {
  method: Method;
  /** `:name` marks a parameter; a last segment `*` takes the rest of the path as parameter `*`. */
  path: string;
  target: Target;
}

export interface RouteMatch<Target> {
  target: Target;
  params: Record<string, string>;
}

export interface Router<Target> {
  /** The route for this method and path. Literals win over parameters, parameters over `*`. */
  find(method: string, segments: readonly string[]): RouteMatch<Target> | undefined;
  /** Methods that the path knows, in the order of definition; empty for an unknown path. */
  methodsOf(segments: readonly string[]): Method[];
}

interface Leaf<Target> {
  target: Target;
  parameterNames: readonly string[];
}

interface Node<Target> {
  /** Keys in lower case: literals are matched without regard to case (decision 7). */
  literals: Map<string, Node<Target>>;
  parameter: Node<Target> | undefined;
  leaves: Map<Method, Leaf<Target>>;
  restLeaves: Map<Method, Leaf<Target>>;
}

/** Builds a router. Two routes of the same method and shape of path are a programming error and refused. */
export function createRouter<Target>(routes: Iterable<RouteDefinition<Target>>): Router<Target> {
  const root = createNode<Target>();
  for (const route of routes) insert(root, route);
  return {
    find(method, segments) {
      const values: string[] = [];
      const leaf = findLeaf(root, { method: method as Method, segments, values }, 0);
      return leaf && { target: leaf.target, params: nameValues(leaf.parameterNames, values) };
    },
    methodsOf(segments) {
      const methods = new Set<Method>();
      collectMethods(root, segments, methods);
      return [...methods];
    },
  };
}

function createNode<Target>(): Node<Target> {
  return { literals: new Map(), parameter: undefined, leaves: new Map(), restLeaves: new Map() };
}

function insert<Target>(root: Node<Target>, { method, path, target }: RouteDefinition<Target>): void {
  const parameterNames: string[] = [];
  let node = root;
  let isRest = false;
  for (const segment of path.split("/").filter((part) => part !== "")) {
    if (isRest) throw new Error(`${method} ${path}: * must be the last segment`);
    isRest = segment === "*";
    if (isRest || segment.startsWith(":")) parameterNames.push(isRest ? "*" : segment.slice(1));
    if (!isRest) node = childOf(node, segment);
  }
  const leaves = isRest ? node.restLeaves : node.leaves;
  if (leaves.has(method)) throw new Error(`${method} ${path} is defined twice`);
  leaves.set(method, { target, parameterNames });
}

function childOf<Target>(node: Node<Target>, segment: string): Node<Target> {
  if (segment.startsWith(":")) return (node.parameter ??= createNode());
  const key = segment.toLowerCase();
  const child = node.literals.get(key) ?? createNode<Target>();
  node.literals.set(key, child);
  return child;
}

interface Search {
  method: Method;
  segments: readonly string[];
  values: string[];
}

/** Depth-first search; `values` holds the parameters of the branch under way. */
function findLeaf<Target>(node: Node<Target>, search: Search, depth: number): Leaf<Target> | undefined {
  const segment = search.segments[depth];
  if (segment === undefined) return node.leaves.get(search.method);
  const literal = node.literals.get(segment.toLowerCase());
  const found = literal && findLeaf(literal, search, depth + 1);
  return found ?? findParameter(node, search, depth) ?? findRest(node, search, depth);
}

function findParameter<Target>(node: Node<Target>, search: Search, depth: number): Leaf<Target> | undefined {
  if (!node.parameter) return undefined;
  search.values.push(search.segments[depth] ?? "");
  const found = findLeaf(node.parameter, search, depth + 1);
  if (!found) search.values.pop();
  return found;
}

function findRest<Target>(node: Node<Target>, search: Search, depth: number): Leaf<Target> | undefined {
  const leaf = node.restLeaves.get(search.method);
  if (leaf) search.values.push(search.segments.slice(depth).join("/"));
  return leaf;
}

function nameValues(names: readonly string[], values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) params[name] = values[index] ?? "";
  return params;
}

function collectMethods<Target>(node: Node<Target>, segments: readonly string[], methods: Set<Method>): void {
  const [segment, ...rest] = segments;
  if (segment === undefined) {
    for (const method of node.leaves.keys()) methods.add(method);
    return;
  }
  const literal = node.literals.get(segment.toLowerCase());
  if (literal) collectMethods(literal, rest, methods);
  if (node.parameter) collectMethods(node.parameter, rest, methods);
  for (const method of node.restLeaves.keys()) methods.add(method);
}
