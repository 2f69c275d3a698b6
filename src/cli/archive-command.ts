import { readArchive, type ArchivedJob, type ArchiveLine } from "../workflow-engine/index.ts";
import { CommandError } from "./api-client.ts";
import { say, table, type Output } from "./output.ts";

const rowsAtOnce = 1_000;

/** `linewright archive list`: the jobs of an archive file, or of all files in a folder. */
export async function listArchive(output: Output, path: string): Promise<number> {
  let rows: string[][] = [];
  let count = 0;
  const flush = (): void => {
    if (rows.length > 0) say(output, table(["Job", "Root", "Status", "Workflow", "Ended"], rows));
    rows = [];
  };
  for await (const line of linesOf(path)) {
    if (line.kind !== "job") continue;
    count += 1;
    if (output.isJson) output.write(`${JSON.stringify(summaryOf(line))}\n`);
    else rows.push(Object.values(summaryOf(line)));
    if (rows.length === rowsAtOnce) flush();
  }
  flush();
  say(output, `${count} jobs`);
  return 0;
}

/** `linewright archive show`: everything the archive has of a job, or of all its jobs, as JSON. */
export async function showArchive(output: Output, path: string, jobId: string | undefined): Promise<number> {
  let isFound = false;
  let piecesLeft = 0;
  for await (const line of linesOf(path)) {
    if (jobId !== undefined && line._id !== jobId) continue;
    isFound = true;
    output.write(output.isJson ? `${JSON.stringify(line)}\n` : `${JSON.stringify(line, undefined, 2)}\n`);
    if (line.kind === "largeText") piecesLeft = line.pieces;
    if (line.kind === "textPiece") piecesLeft -= 1;
    // What is asked for stands in one line, or in one and those of its pieces.
    if (jobId !== undefined && piecesLeft === 0) break;
  }
  if (!isFound && jobId !== undefined) throw new CommandError(`${path} has no job ${jobId}.`);
  return 0;
}

function summaryOf({ _id, root, job }: ArchivedJob): Record<string, string> {
  const { end_time } = job["metrics"] as { end_time?: number };
  const ended = end_time === undefined ? "" : new Date(end_time).toISOString();
  return { _id, root, status: String(job["status"]), name: String(job["name"]), ended };
}

async function* linesOf(path: string): AsyncGenerator<ArchiveLine> {
  try {
    yield* readArchive(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new CommandError(
      code === "ENOENT" ? `There is no file or folder ${path}.` : `${path} is not an archive of jobs.`,
      "Archives are below the folder that LINEWRIGHT_ARCHIVE_DIR names.",
    );
  }
}
