import { ok, warning, type Finding } from "./finding.ts";

const mostNamed = 3;

/** Locks of tasks: how many are held and waited for, and those whose holders have ended. */
export interface LockFigures {
  held: number;
  waiting: number;
  forsaken: readonly string[];
}

/** A lock is given back by work that follows the end of its holder. */
export function judgeLocks({ held, waiting, forsaken }: LockFigures): Finding {
  const state = `${held} locks are held, ${waiting} tasks wait for them`;
  if (forsaken.length === 0) return ok("locks", state);
  const named = `${forsaken.slice(0, mostNamed).join(", ")}${forsaken.length > mostNamed ? ", …" : ""}`;
  return warning(
    "locks",
    `${state}; the jobs that hold ${named} have ended`,
    "Start a node: what gives them back is work that waits. If they stay, look into the log of the nodes.",
  );
}
