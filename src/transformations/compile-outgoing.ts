import { isJsonObject } from "../core/json.ts";
import type { OutgoingNode, Wire } from "./compiled-transformation.ts";
import type { TransformationSlot } from "./transformation-schema.ts";

/** A wire to an outgoing, and where in it. */
export interface OutgoingWire {
  wire: Wire;
  tokens: readonly string[];
}

/**
 * Puts the wires to one outgoing in their order: whole values first, deeper places override them, members in
 * the order of the schema's properties (spec: tasks-and-transformations.md B §3.3).
 */
export function planOutgoing(slot: TransformationSlot, wires: readonly OutgoingWire[]): OutgoingNode {
  return planNode(slot, wires, 0);
}

function planNode(schema: unknown, wires: readonly OutgoingWire[], depth: number): OutgoingNode {
  const whole = wires.filter(({ tokens }) => tokens.length === depth).map(({ wire }) => wire);
  const deeper = byMember(wires, depth);
  const keys = inSchemaOrder([...deeper.keys()], schema);
  return {
    wires: whole,
    container: containerFor(schema, keys),
    children: keys.map((key) => ({ key, node: planNode(memberSchema(schema, key), deeper.get(key) ?? [], depth + 1) })),
  };
}

function propertiesOf(schema: unknown): Record<string, unknown> {
  return isJsonObject(schema) && isJsonObject(schema["properties"]) ? schema["properties"] : {};
}

function inSchemaOrder(keys: readonly string[], schema: unknown): string[] {
  const wired = new Set(keys);
  const known = Object.keys(propertiesOf(schema)).filter((key) => wired.delete(key));
  return [...known, ...wired];
}

function memberSchema(schema: unknown, key: string): unknown {
  const properties = propertiesOf(schema);
  if (Object.hasOwn(properties, key)) return properties[key];
  const items = isJsonObject(schema) ? schema["items"] : undefined;
  return Array.isArray(items) ? items[Number(key)] : items;
}

/** What to create where the members have no whole value to go into. */
function containerFor(schema: unknown, keys: readonly string[]): "list" | "object" {
  const hasIndexesOnly = keys.length > 0 && keys.every((key) => /^(?:0|[1-9]\d{0,5})$/u.test(key));
  const type = isJsonObject(schema) ? schema["type"] : undefined;
  if (!hasIndexesOnly || type === "object") return "object";
  return Array.isArray(type) && !type.includes("array") && type.includes("object") ? "object" : "list";
}

/** The wires that lead further, by the member of this depth. */
function byMember(wires: readonly OutgoingWire[], depth: number): Map<string, OutgoingWire[]> {
  const members = new Map<string, OutgoingWire[]>();
  for (const wire of wires) {
    const key = wire.tokens[depth];
    if (key === undefined) continue;
    const known = members.get(key);
    if (known) known.push(wire);
    else members.set(key, [wire]);
  }
  return members;
}
