import type { Options } from "../options.ts";
import type { Report } from "../report.ts";

/** What a benchmark gets. */
export interface BenchContext {
  options: Options;
  report: Report;
}

/** Measures and reports. What it throws is reported as a failure. */
export type Benchmark = (context: BenchContext) => Promise<void>;
