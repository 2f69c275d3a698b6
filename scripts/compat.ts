import { readBundles, replayBundle, type ReplayOutcome } from "../test/compatibility/recorded-runs.ts";
import { startServerProcess } from "../test/support/server-process.ts";

// npm run compat -- PATH: replays the recorded runs below a folder on a platform of its own, over HTTP.

const path = process.argv[2];
if (path === undefined) {
  console.error("Name a folder with recorded runs: npm run compat -- PATH");
  process.exit(2);
}
const server = await startServerProcess();
const outcomes: ReplayOutcome[] = [];
try {
  for (const bundle of await readBundles(path)) {
    const replayed = await replayBundle(server.request, bundle);
    for (const outcome of replayed) console.log(lineOf(bundle.name, outcome));
    outcomes.push(...replayed);
  }
} finally {
  await server.stop();
}
const same = outcomes.filter((outcome) => outcome.isSame).length;
console.log(`${same} of ${outcomes.length} recorded runs reproduced`);
process.exitCode = same > 0 && same === outcomes.length ? 0 : 1;

function lineOf(bundle: string, { run, isSame, difference, durationMs }: ReplayOutcome): string {
  const line = `${isSame ? "same     " : "different"}  ${bundle} / ${run}  (${durationMs} ms)`;
  return difference === undefined ? line : `${line}\n           ${difference}`;
}
