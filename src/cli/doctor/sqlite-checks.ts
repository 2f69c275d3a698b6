import type { FileInspection } from "../../store/index.ts";
import { failure, ok, warning, type Finding } from "./finding.ts";

const megabyte = 1_000_000;
/** The log is cut back to 64 MB when it was transferred: one much larger is not transferred any more. */
const largestLogBytes = 256 * megabyte;

/** The structure of a database file, and its write-ahead log. */
export function judgeFile({ problems, fileBytes, logBytes }: FileInspection): Finding[] {
  return [judgeStructure(problems), judgeLog(fileBytes, logBytes)];
}

function judgeStructure(problems: readonly string[]): Finding {
  if (problems.length === 0) return ok("integrity", "the database file is sound");
  return failure(
    "integrity",
    `the database file is damaged: ${problems.slice(0, 3).join("; ")}`,
    "Stop the platform, keep a copy of the file, and restore the newest backup.",
  );
}

function judgeLog(fileBytes: number, logBytes: number): Finding {
  const message = `the file has ${inMegabytes(fileBytes)}, its write-ahead log ${inMegabytes(logBytes)}`;
  if (logBytes <= largestLogBytes) return ok("size", message);
  return warning("size", message, "Something reads the file without end, such as a backup program: end it.");
}

function inMegabytes(bytes: number): string {
  return `${(bytes / megabyte).toFixed(1)} MB`;
}
