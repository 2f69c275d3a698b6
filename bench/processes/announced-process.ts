import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { endWithBench } from "./end-with-bench.ts";
import type { Environment } from "./slow-fsync.ts";

/** A server process that says on its standard output where it serves. */
export interface AnnouncedProcess {
  url: string;
  pid: number;
  /** Milliseconds from its start until it serves. */
  coldStartMs: number;
  stop(): Promise<void>;
}

const longestStartMs = 60_000;

/** Starts a program of Node.js and waits for its line `serving URL`. Rejects with its last words when it ends before. */
export async function startAnnounced(args: readonly string[], environment: Environment): Promise<AnnouncedProcess> {
  const startedAt = performance.now();
  // Its standard input ends with this process, whatever ends that, and it ends with its standard input.
  const child = spawn(process.execPath, args, { stdio: "pipe", env: { ...process.env, ...environment } });
  const release = endWithBench(child);
  const stop = async (): Promise<void> => {
    release();
    await endProcess(child);
  };
  try {
    const url = await readUrl(child);
    return { url, pid: child.pid ?? 0, coldStartMs: Math.round(performance.now() - startedAt), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Ends a process politely, and by force after five seconds. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  const force = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await exit;
  clearTimeout(force);
}

async function readUrl(child: ChildProcess): Promise<string> {
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error("the process has no output");
  const lastWords: string[] = [];
  createInterface({ input: stderr }).on("line", (line) => {
    lastWords.push(line);
    if (lastWords.length > 10) lastWords.shift();
  });
  const wordsText = (): string => lastWords.join(" / ") || "nothing said";
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`it does not serve: ${wordsText()}`)), longestStartMs);
    const settle = (end: () => void): void => {
      clearTimeout(late);
      end();
    };
    child.once("exit", (code) => settle(() => reject(new Error(`it ended with code ${code}: ${wordsText()}`))));
    createInterface({ input: stdout }).on("line", (line) => {
      const url = /^serving (\S+)$/u.exec(line)?.[1];
      if (url !== undefined) settle(() => resolve(url));
    });
  });
}
