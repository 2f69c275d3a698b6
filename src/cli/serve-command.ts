import pc from "picocolors";
import { readConfiguration } from "../configuration.ts";
import { createLogger } from "../core/logger.ts";
import { startPlatform } from "../platform.ts";

/** `linewright serve`: starts a node and serves until SIGINT or SIGTERM, which drain it. */
export async function serve(): Promise<number> {
  const configuration = readConfiguration(process.env);
  const asked = untilSignal();
  const logger = createLogger(configuration.logLevel, (line) => void process.stderr.write(`${line}\n`), Date.now);
  const platform = await startPlatform(configuration, logger);
  console.log(`Linewright ${platform.version} serves ${pc.bold(platform.url)}`);
  if (platform.adminPassword !== undefined) {
    console.log(
      `First start: account ${pc.bold("admin")}, password ${pc.bold(platform.adminPassword)} (shown this once)`,
    );
  }
  await asked;
  await platform.stop();
  // A connection whose request never ends must not keep the process.
  setTimeout(() => process.exit(0), 500).unref();
  return 0;
}

/** Resolves when the process is asked to end. A second signal ends it at once. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isAsked = false;
    const ask = (): void => {
      if (isAsked) process.exit(1);
      isAsked = true;
      resolve();
    };
    process.on("SIGINT", ask);
    process.on("SIGTERM", ask);
  });
}
