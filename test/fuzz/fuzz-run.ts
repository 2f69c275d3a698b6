import { makeObjects } from "./bench-objects.ts";
import { builtOperations } from "./built-operations.ts";
import { confirmFinding, signatureOf, type Failure } from "./confirm-finding.ts";
import { readCorpus } from "./corpus.ts";
import { documentCase } from "./document-cases.ts";
import { finalProblems } from "./final-check.ts";
import { openFuzzBench, type FuzzBench } from "./fuzz-bench.ts";
import type { FuzzCase } from "./fuzz-case.ts";
import { operationCase, type OperationPlan } from "./operation-cases.ts";
import { rawCase } from "./raw-cases.ts";
import type { Finding } from "./session.ts";
import { createStatistics, type Figures } from "./statistics.ts";

export interface FuzzOptions {
  /** How many documents are mutated; beside each goes one case of an operation, of all in turn. */
  documents: number;
  seed: number;
  /** Told now and then how it gets on. */
  say?: (line: string) => void;
}

/** What came of it. */
export interface FuzzReport extends Figures {
  seed: number;
  documents: number;
  /** Built operations, and how many of those that were tried answered a request with success. */
  operations: { built: number; accepted: number };
  failures: Failure[];
  seconds: number;
}

/** Cases under way at a time: most of them wait for a job. */
const lanes = 12;
const casesPerRawMessage = 10;
// More of them tell nothing new.
const mostFailures = 20;

/** Sends mutated documents and requests to a platform of its own and reports what it does not stand. The same seed sends the same. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const startedAt = performance.now();
  const statistics = createStatistics();
  const bench = await openFuzzBench(statistics);
  try {
    const plan = { corpus: readCorpus(), known: await makeObjects(bench.target), accepted: new Set<string>() };
    const findings = await runAll(bench, casesOf(options, plan), options.say);
    const confirmed: (Failure | undefined)[] = [];
    for (const [fuzzCase, finding] of distinct(findings).slice(0, mostFailures)) {
      const failure = await confirmFinding(bench, fuzzCase, finding);
      if (!failure) options.say?.(`not seen again, alone: ${fuzzCase.name}: ${finding.problem}`);
      confirmed.push(failure);
    }
    const left = await finalProblems(bench);
    return {
      seed: options.seed,
      documents: options.documents,
      ...statistics.figures(),
      operations: { built: builtOperations().length, accepted: plan.accepted.size },
      failures: [
        ...confirmed.filter((failure) => failure !== undefined),
        ...left.map((problem) => ({ problem, request: "after all requests", file: "" })),
      ],
      seconds: Math.round((performance.now() - startedAt) / 1000),
    };
  } finally {
    await bench.stop();
  }
}

function* casesOf({ documents, seed }: FuzzOptions, plan: OperationPlan): Generator<FuzzCase> {
  const operations = builtOperations();
  for (let index = 0; index < documents; index++) {
    yield documentCase(plan.corpus, seed, index);
    // Short runs of different seeds try different operations.
    const built = operations[(seed + index) % operations.length];
    if (built) yield operationCase(plan, built, seed, index);
    if (index % casesPerRawMessage === 0) yield rawCase(index / casesPerRawMessage);
  }
}

type CaseFinding = readonly [FuzzCase, Finding];

async function runAll(bench: FuzzBench, cases: Generator<FuzzCase>, say: FuzzOptions["say"]): Promise<CaseFinding[]> {
  const found: CaseFinding[] = [];
  let done = 0;
  const lane = async (): Promise<void> => {
    for (const fuzzCase of cases) {
      const finding = await bench.runCase(fuzzCase);
      if (finding) found.push([fuzzCase, finding]);
      if (finding && !finding.reply) await bench.revive();
      done += 1;
      if (done % 500 === 0) say?.(`${done} cases, ${found.length} findings`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return found;
}

/** The first finding of each problem; of silences all, for any of them may be the one that caused the others. */
function distinct(findings: readonly CaseFinding[]): CaseFinding[] {
  const firsts = new Map<string, CaseFinding>();
  for (const finding of findings) {
    const signature = finding[1].reply ? signatureOf(finding[1]) : finding[0].name;
    if (!firsts.has(signature)) firsts.set(signature, finding);
  }
  return [...firsts.values()];
}
