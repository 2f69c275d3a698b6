import type { PointCounts } from "./laboratory.ts";

/** Where the next process shall die. */
export interface KillPoint {
  point: string;
  /** Reached so many times. */
  occurrence: number;
  /** A workflow that comes by there, where few do. */
  workflow?: string;
}

/** Points where only one shape comes by. */
const rareVisitors: readonly { where: RegExp; workflow: string }[] = [
  { where: /proceed/u, workflow: "fault many steps" },
  { where: /snapshots/u, workflow: "fault many events" },
  { where: /cancelChild/u, workflow: "fault cancel" },
  { where: /openWindow/u, workflow: "fault run window" },
  { where: /sla/u, workflow: "fault broken promise" },
  { where: /deliverEvent|lookForEvents|sweepEvents|an event|events$|event_waits/u, workflow: "fault events" },
  { where: /large_values|transformations/u, workflow: "fault large values" },
];

/** Chooses points so that each comes to its turn, the rare ones too. */
export interface KillPlan {
  next(): KillPoint;
  /** Tells whether the process died there, or had to be killed from outside because it did not come by. */
  report(point: KillPoint, hasDied: boolean): void;
  /** Deaths by point; 0 for those where none came about. */
  deaths(): Record<string, number>;
}

const latestOccurrence = 20;
/** A point where nobody came by is left alone for as long as so many deaths take elsewhere. */
const costOfMiss = 0.5;

/** A plan over the points of a rehearsal. `random`: from 0 to 1. */
export function createKillPlan(points: PointCounts, random: () => number): KillPlan {
  const tries = new Map(
    Object.keys(points)
      .toSorted()
      .map((point) => [point, { deaths: 0, cost: random() / 2 }]),
  );
  return {
    next() {
      const [point] = [...tries].reduce((least, entry) => (entry[1].cost < least[1].cost ? entry : least));
      const most = Math.min(latestOccurrence, Math.ceil((points[point] ?? 1) / 2));
      const occurrence = 1 + Math.floor(random() * most);
      const visitor = rareVisitors.find(({ where }) => where.test(point));
      return visitor ? { point, occurrence: 1, workflow: visitor.workflow } : { point, occurrence };
    },
    report({ point }, hasDied) {
      const entry = tries.get(point);
      if (!entry) return;
      entry.deaths += hasDied ? 1 : 0;
      entry.cost += hasDied ? 1 : costOfMiss;
    },
    deaths: () => Object.fromEntries([...tries].map(([point, { deaths }]) => [point, deaths])),
  };
}
