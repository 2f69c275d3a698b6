import { fuzz } from "../test/fuzz/fuzz-run.ts";

// npm run fuzz -- [--documents N] [--seed S]

const args = process.argv.slice(2);
const numberOf = (flag: string, fallback: number) => Number(args[args.indexOf(flag) + 1 || args.length] ?? fallback);

const seed = numberOf("--seed", Math.floor(Math.random() * 2 ** 31));
console.error(`seed ${seed}`);
const report = await fuzz({
  documents: numberOf("--documents", 1000),
  seed,
  say: (line) => console.error(line),
});
console.log(JSON.stringify(report, null, 2));
process.exitCode = report.failures.length === 0 ? 0 : 1;
