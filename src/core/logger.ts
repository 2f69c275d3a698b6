/** Levels from most to least severe, as the field's loggers name them. */
export const logLevels = ["error", "warn", "info", "debug", "trace"] as const;
export type LogLevel = (typeof logLevels)[number];

/** A structured logger. Secrets are never put into `fields`. */
export interface Logger {
  error(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  debug(message: string, fields?: Record<string, unknown>): void;
  trace(message: string, fields?: Record<string, unknown>): void;
}

/** A logger that writes one JSON line per entry to `write`, down to `level`. */
export function createLogger(level: LogLevel, write: (line: string) => void, now: () => number): Logger {
  const limit = logLevels.indexOf(level);
  const entry = (name: LogLevel) => (message: string, fields?: Record<string, unknown>) => {
    if (logLevels.indexOf(name) > limit) return;
    write(JSON.stringify({ time: new Date(now()).toISOString(), level: name, message, ...fields }));
  };
  return {
    error: entry("error"),
    warn: entry("warn"),
    info: entry("info"),
    debug: entry("debug"),
    trace: entry("trace"),
  };
}

/** A logger that says nothing, for tests and one-shot commands. */
export const silentLogger: Logger = createLogger(
  "error",
  () => undefined,
  () => 0,
);
