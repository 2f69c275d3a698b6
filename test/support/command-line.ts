import { spawn } from "node:child_process";
import { once } from "node:events";

/** A command that has ended. */
export interface EndedCommand {
  code: number | null;
  out: string;
  error: string;
}

/** Runs the built command line with these settings and no others; `until` ends it with SIGTERM once its output holds that text; `input` is its standard input. */
export async function linewright(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  until?: string,
  input = "",
): Promise<EndedCommand> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("LINEWRIGHT_"));
  const child = spawn(process.execPath, ["dist/main.js", ...args], {
    // Where CI is set colours would be on.
    env: { ...Object.fromEntries(inherited), NO_COLOR: "1", ...settings },
  });
  child.stdin.end(input);
  const ended: EndedCommand = { code: null, out: "", error: "" };
  child.stdout.on("data", (chunk) => {
    ended.out += String(chunk);
    if (until !== undefined && ended.out.includes(until)) child.kill("SIGTERM");
  });
  child.stderr.on("data", (chunk) => (ended.error += String(chunk)));
  const [code] = (await once(child, "close")) as [number | null];
  return { ...ended, code };
}
