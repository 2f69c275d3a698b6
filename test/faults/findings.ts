/**
 * `lost`: acknowledged, but not there. `doubled`: a start, transition, child or answer that happened
 * twice. `stuck`: not ended. `different`: not the end it has without faults. `log`: a log that cannot be.
 * `view`: header, open tasks or snapshot say something else than the log. `effect`: against the rules for
 * effects. `leftover`: work that nobody needs any more.
 */
export type FaultKind = "lost" | "doubled" | "stuck" | "different" | "log" | "view" | "effect" | "leftover";

const mostExamples = 20;

/** Collects faults. */
export class Findings {
  readonly faults: Record<FaultKind, number> = {
    lost: 0,
    doubled: 0,
    stuck: 0,
    different: 0,
    log: 0,
    view: 0,
    effect: 0,
    leftover: 0,
  };
  readonly examples: string[] = [];

  add(kind: FaultKind, text: string): void {
    this.faults[kind] += 1;
    if (this.examples.length < mostExamples) this.examples.push(`${kind}: ${text.slice(0, 1_000)}`);
  }
}

/** How many faults a report tells of. */
export function faultCount({ faults }: { faults: Record<FaultKind, number> }): number {
  return Object.values(faults).reduce((sum, count) => sum + count, 0);
}
