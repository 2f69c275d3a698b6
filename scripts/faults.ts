import { parseArgs } from "node:util";
import { openLaboratory } from "../test/faults/laboratory.ts";
import { storeKinds } from "../test/faults/premises.ts";
import { programmes, type ProgrammeOptions } from "../test/faults/programmes.ts";

// npm run faults -- [PROGRAMME, by default kill] [--store sqlite|postgres|both] [--seed N] [--jobs N] [--kills N] …

const text = { type: "string" } as const;
const sizes = {
  jobs: text,
  kills: text,
  chance: text,
  cuts: text,
  longest: text,
  stops: text,
  fills: text,
  jumps: text,
  timers: text,
};
const { values, positionals } = parseArgs({
  options: { store: text, seed: text, nodes: text, ...sizes },
  allowPositionals: true,
});
const [name = "kill"] = positionals;
const programme = programmes[name];
if (!programme) throw new Error(`choose one of ${Object.keys(programmes).join(", ")}`);

const given: Readonly<Record<string, string | undefined>> = values;
const numberOf = (option: string, fallback: number): number => Number(given[option] ?? fallback);
const wanted = values.store ?? "both";
const options: ProgrammeOptions = {
  stores: storeKinds.filter((kind) => wanted === "both" || wanted === kind),
  seed: numberOf("seed", Math.floor(Math.random() * 2 ** 31)),
  size: numberOf,
  say: (line) => console.error(line),
};
options.say(`seed ${options.seed}`);
const laboratory = await openLaboratory();
try {
  const report = await programme(laboratory, options);
  console.log(JSON.stringify({ programme: name, seed: options.seed, ...report }));
  process.exitCode = report.faults === 0 ? 0 : 1;
} finally {
  await laboratory.close();
}
