import type { CheckReport } from "./checker.ts";
import type { KillPlan } from "./kill-points.ts";
import type { PremisesOptions, StoreKind } from "./premises.ts";
import { sumReports } from "./reports.ts";

/** What programmes are asked for that kill nodes again and again. */
export interface KillingOptions {
  premises: PremisesOptions;
  jobs: number;
  kills: number;
  seed: number;
  say?: (line: string) => void;
}

/** What they all report. */
export interface KillingReport extends CheckReport {
  store: StoreKind;
  kills: number;
  /** Kills at a point with a name, as against those at any moment from outside. */
  killsAtPoints: number;
  /** Points where a process died at least once, of those there are. */
  pointsHit: number;
  points: number;
  /** The fewest deaths at one of the points. */
  fewestDeaths: number;
}

/** Some kills on data of their own. */
export interface RoundOfKills {
  number: number;
  kills: number;
  /** Kills of the rounds before it. */
  killed: number;
}

interface Campaign {
  options: KillingOptions;
  plan: KillPlan;
  killedAtPoints: number;
}

interface Rounds {
  killsPerRound: number;
  /** So many at the same time. */
  lanes: number;
  run(round: RoundOfKills): Promise<CheckReport>;
}

/** Runs a campaign round by round, says what each found, and sums up. */
export async function runRounds(campaign: Campaign, { killsPerRound, lanes, run }: Rounds): Promise<KillingReport> {
  const { kills, premises, say } = campaign.options;
  const reports: CheckReport[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let number = next++; number * killsPerRound < kills; number = next++) {
      const killed = number * killsPerRound;
      const round = { number, killed, kills: Math.min(killsPerRound, kills - killed) };
      const report = await run(round);
      reports.push(report);
      const lines = [...report.examples, `round ${number}, ${killed + round.kills} kills`];
      for (const line of lines) say?.(`${premises.kind}: ${line}`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  const deaths = Object.values(campaign.plan.deaths());
  return {
    ...sumReports(reports),
    store: premises.kind,
    kills,
    killsAtPoints: campaign.killedAtPoints,
    pointsHit: deaths.filter((count) => count > 0).length,
    points: deaths.length,
    fewestDeaths: Math.min(...deaths),
  };
}
