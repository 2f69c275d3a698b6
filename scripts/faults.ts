import { killNine } from "../test/faults/kill-nine.ts";

// npm run faults -- [--jobs N] [--kills M]

const args = process.argv.slice(2);
const numberOf = (flag: string, fallback: number) => Number(args[args.indexOf(flag) + 1 || args.length] ?? fallback);

const report = await killNine({
  jobs: numberOf("--jobs", 500),
  kills: numberOf("--kills", 200),
  say: (line) => console.error(line),
});
console.log(JSON.stringify(report));
const { lost, doubled, stuck, different } = report;
process.exitCode = lost + doubled + stuck + different === 0 ? 0 : 1;
