import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Client } from "pg";
import { hookSqliteStatements } from "./sqlite-statements.ts";

// Loaded before a whole server (`node --import`): kills it at the n-th of its persistence points, from 1.

const killAt = Number(process.env["FAULTS_KILL_AT"]);
let reached = 0;

/** A statement is about to be sent or was answered; a file is about to be written, is open and empty, or is written. */
const reach = (): void => {
  reached += 1;
  if (reached === killAt) process.kill(process.pid, "SIGKILL");
};

hookSqliteStatements(reach);

type Query = (this: Client, ...parameters: unknown[]) => Promise<unknown>;
const prototype = Client.prototype as unknown as { query: Query };
const { query } = prototype;
prototype.query = async function queryHooked(...parameters) {
  reach();
  const result = await query.apply(this, parameters);
  reach();
  return result;
};

const { open } = fs.promises;
fs.promises.writeFile = async function writeHooked(file, data, options) {
  const { flag, mode } = { flag: "w", mode: 0o666, ...(typeof options === "object" ? options : {}) };
  reach();
  const handle = await open(file as string, flag, mode);
  reach();
  await handle.writeFile(data as string);
  await handle.close();
  reach();
};
syncBuiltinESMExports();
