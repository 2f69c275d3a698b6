#!/usr/bin/env node
import pc from "picocolors";
import { CommandError } from "./cli/api-client.ts";
import { createProgram } from "./cli/program.ts";
import { ConfigurationError } from "./configuration.ts";
import { version } from "./version.ts";

const program = createProgram(version(), (code) => {
  process.exitCode = code;
});

try {
  await program.parseAsync(process.argv);
} catch (error) {
  console.error(pc.red(messageOf(error)));
  if (error instanceof CommandError && error.advice !== undefined) console.error(error.advice);
  process.exitCode = 1;
}

function messageOf(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  if (error instanceof ConfigurationError) return `Wrong setting. ${error.message}`;
  const { code } = error as { code?: string };
  if (code === "EADDRINUSE") return "The port is in use. Stop what uses it, or set LINEWRIGHT_PORT.";
  if (code === "EACCES") return `No permission: ${(error as Error).message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
