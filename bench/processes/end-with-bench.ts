import type { ChildProcess } from "node:child_process";

/** Kills the process when this one ends before it; the returned function takes that back. */
export function endWithBench(child: ChildProcess): () => void {
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  return () => process.off("exit", kill);
}
