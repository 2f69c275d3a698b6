import type { ConnectionOptions } from "./connection.ts";
import { ReaderPool } from "./reader-pool.ts";

/** How long a query of a user may take before it is answered that it takes too long. */
const deadlineMs = 10_000;
/** How long a query may be silent before it is asked beside it whether the server is still there. */
const pulseMs = 250;

/**
 * Queries that may take long, on connections of their own so that they hold up no other read. A server that
 * is slow is told from one that is away by asking it something else: so being away is noticed as soon as
 * with any other read.
 */
export class WatchedQueries {
  readonly #queries: ReaderPool;
  readonly #pulse: ReaderPool;
  readonly #clock: ConnectionOptions["clock"];

  constructor(options: ConnectionOptions, size: number, pulse: ReaderPool) {
    this.#queries = new ReaderPool({ ...options, deadlineMs, connectMs: options.deadlineMs }, size);
    this.#pulse = pulse;
    this.#clock = options.clock;
  }

  /** Rows of one statement; a PlatformError UNPROCESSABLE when it takes too long. */
  all<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    return this.#queries.use(async (connection) => {
      const watch = this.#watch();
      try {
        return await Promise.race([connection.query<Row>(text, values), watch.lost]);
      } finally {
        watch.end();
      }
    });
  }

  close(): Promise<void> {
    return this.#queries.close();
  }

  /** `lost` rejects when the server does not answer other questions either. */
  #watch(): { lost: Promise<never>; end(): void } {
    let cancel: () => void = () => undefined;
    let hasEnded = false;
    const lost = new Promise<never>((_, reject) => {
      const lookLater = (): void => {
        if (hasEnded) return;
        cancel = this.#clock.after(pulseMs, () => void this.#pulse.all("SELECT 1").then(lookLater, reject));
      };
      lookLater();
    });
    const end = (): void => {
      hasEnded = true;
      cancel();
    };
    return { lost, end };
  }
}
