import { PlatformError, type ErrorCode } from "../core/errors.ts";
import { ConnectionError, type ConnectionFailure } from "./ssh/connection.ts";
import { NoPromptError } from "./ssh/prompt-finder.ts";
import { ReadingError, type ReadingProblem } from "./ssh/shell-reader.ts";
import { ConnectionLostError, EnableRefusedError } from "./ssh/shell.ts";

const codes: Readonly<Record<ConnectionFailure, ErrorCode>> = {
  unreachable: "BAD_GATEWAY",
  timeout: "GATEWAY_TIMEOUT",
  rejected: "BAD_GATEWAY",
  hostKey: "BAD_GATEWAY",
  protocol: "BAD_GATEWAY",
};

/** What went wrong with a device, in the words a caller may see. Neither commands nor credentials are part of it. */
export function deviceError(name: string, error: unknown): unknown {
  const gateway = (message: string) => new PlatformError("BAD_GATEWAY", `Device ${name}: ${message}`);
  if (error instanceof ConnectionError)
    return new PlatformError(codes[error.failure], `Device ${name}: ${error.message}`);
  if (error instanceof ReadingError) return readingError(name, error.problem);
  if (error instanceof EnableRefusedError || error instanceof NoPromptError) return gateway(error.message);
  if (!(error instanceof ConnectionLostError)) return error;
  if (!error.wasCommandSent) return gateway("the connection was lost before the command was sent");
  return gateway("the connection was lost while a command was running; it may or may not have been carried out");
}

function readingError(name: string, problem: ReadingProblem): PlatformError {
  if (problem.kind === "timeout") {
    return new PlatformError(
      "GATEWAY_TIMEOUT",
      `Device ${name}: no prompt came back within ${problem.timeoutMs} ms; the command may still be running there`,
    );
  }
  if (problem.kind === "tooLarge") {
    return new PlatformError(
      "BAD_GATEWAY",
      `Device ${name}: the output is larger than ${problem.limitCharacters} characters`,
    );
  }
  return new PlatformError(
    "BAD_GATEWAY",
    `Device ${name} asks a question that the command does not answer (give the answer as a further line): ${problem.text}`,
  );
}
