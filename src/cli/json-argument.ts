import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import { CommandError } from "./api-client.ts";

/**
 * A JSON object given on the command line: as JSON text, from a file named with a leading `@`, or from standard input
 * for `-`. An empty object where nothing is given; CommandError that names the option where it is none.
 */
export async function readJsonObject(option: string, given: string | undefined): Promise<Record<string, unknown>> {
  if (given === undefined) return {};
  const value = parseObject(await readGiven(given));
  if (!value) throw new CommandError(`${option} is not a JSON object.`, `For example: ${option} '{"device": "r1"}'`);
  return value;
}

async function readGiven(given: string): Promise<string> {
  if (given === "-") return readAll(process.stdin);
  if (!given.startsWith("@")) return given;
  const read = await readFile(given.slice(1), "utf8").catch(() => undefined);
  if (read === undefined) throw new CommandError(`Cannot read ${given.slice(1)}.`);
  return read;
}

function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
