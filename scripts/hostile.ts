import { runHostile } from "../test/hostile/hostile-run.ts";

// npm run hostile -- [--inputs 1000] [--seed 1] [--deadline 100] [--only NAME]

/** What a task may hold the event loop for, and an answer take beside the deadline of a worker. */
const mostHeldMs = 50;
const mostBesideMs = 2_000;
const mostMemoryMb = 1_000;

const args = process.argv.slice(2);
const option = (name: string): string | undefined => {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? undefined : args[at + 1];
};
const report = await runHostile({
  inputsPerSink: Number(option("inputs") ?? 1_000),
  seed: Number(option("seed") ?? 1),
  deadlineMs: Number(option("deadline") ?? 100),
  only: option("only"),
  say: (line) => console.error(line),
});
const overLimits = [
  ...report.sinks.flatMap(({ sink, held, slowestMs, deadlineMs }) => [
    ...(held.cpuMs > mostHeldMs ? [`${sink}: the event loop was held for ${held.cpuMs} ms of processor time`] : []),
    ...(slowestMs > deadlineMs + mostBesideMs ? [`${sink}: an answer took ${slowestMs} ms`] : []),
  ]),
  ...(report.peakMb > mostMemoryMb ? [`the server took ${report.peakMb} MB`] : []),
];
console.log(JSON.stringify({ ...report, overLimits }, null, 2));
process.exitCode = report.findings.length > 0 || overLimits.length > 0 ? 1 : 0;
