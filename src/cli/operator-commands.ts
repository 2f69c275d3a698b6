import type { Command } from "commander";
import { listArchive, showArchive } from "./archive-command.ts";
import { copyStores } from "./copy-store-command.ts";
import { runDoctor } from "./doctor-command.ts";
import { migrate } from "./migrate-command.ts";
import { processOutput } from "./output.ts";
import { rebuild } from "./rebuild-command.ts";

interface JsonOption {
  json?: boolean;
}

/** Commands for whoever runs the platform. They work on the store itself and need no running platform. */
export function addOperatorCommands(program: Command, version: string, exit: (code: number) => void): void {
  const environment = process.env;
  operator(program, "doctor")
    .description("Check everything a node needs, and say what to do. Exit code 1 when something fails.")
    .action(async ({ json }: JsonOption) =>
      exit(await runDoctor(processOutput(json === true), { environment, version })),
    );
  operator(program, "migrate")
    .description("Bring the schema of the configured store up to date, as the start of a node does.")
    .option("--check", "only look; exit code 1 when the schema is behind")
    .action(async ({ json, check }: JsonOption & { check?: boolean }) =>
      exit(await migrate(processOutput(json === true), { environment, isCheck: check === true })),
    );
  operator(program, "copy-store")
    .description("Copy everything from one store into another, empty one, and compare the two.")
    .requiredOption("--from <store>", "a SQLite file or a postgres:// URL")
    .requiredOption("--to <store>", "likewise")
    .option("--resume", "go on with a copy that was broken off")
    .option("--force", "copy although nodes use the source")
    .action(async (options: JsonOption & { from: string; to: string; resume?: boolean; force?: boolean }) =>
      exit(await copyStores(processOutput(options.json === true), { ...options, version })),
    );
  operator(program, "rebuild")
    .description("Put job headers and open tasks right by the logs they are made from.")
    .option("--dry-run", "only compare; exit code 1 when anything differs")
    .action(async ({ json, dryRun }: JsonOption & { dryRun?: boolean }) =>
      exit(await rebuild(processOutput(json === true), { environment, isDryRun: dryRun === true })),
    );
  addArchiveCommands(program, exit);
}

function addArchiveCommands(program: Command, exit: (code: number) => void): void {
  const archive = program
    .command("archive")
    .description("Look into the archive of jobs that were deleted by their age.");
  operator(archive, "list <path>")
    .description("List the jobs of an archive file, or of all files below a folder.")
    .action(async (path: string, { json }: JsonOption) => exit(await listArchive(processOutput(json === true), path)));
  operator(archive, "show <path> [id]")
    .description("Show a job of the archive, a large value, or everything: document, tasks and history as JSON.")
    .action(async (path: string, id: string | undefined, { json }: JsonOption) =>
      exit(await showArchive(processOutput(json === true), path, id)),
    );
}

function operator(program: Command, name: string): Command {
  return program.command(name).option("--json", "one JSON value per line");
}
