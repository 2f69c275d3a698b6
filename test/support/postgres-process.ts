import { execFile, spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { promisify } from "node:util";
import type { PostgresPrograms, ProgramUser } from "./postgres-programs.ts";

/** One run of the server program. */
export interface PostgresProcess {
  pid: number;
  /** Kills the server and all processes of its own with SIGKILL, and resolves when they are gone. */
  kill(): Promise<void>;
  /** Ends all sessions and stops at once; what was committed is there at the next start. */
  stop(): Promise<void>;
}

export interface PostgresCluster {
  programs: PostgresPrograms;
  user: ProgramUser | undefined;
  dataFolder: string;
  settings: Readonly<Record<string, string>>;
}

/** Makes a new cluster with the superuser `postgres`, whose password is in a file. */
export async function createCluster(cluster: PostgresCluster, passwordFile: string): Promise<void> {
  const { programs, dataFolder, user } = cluster;
  const args = [
    `--pgdata=${dataFolder}`,
    "--username=postgres",
    `--pwfile=${passwordFile}`,
    "--auth=password",
    "--encoding=UTF8",
    // Nothing may depend on how a database sorts: this one sorts as no other part of Linewright does.
    "--locale-provider=icu",
    "--icu-locale=en-US",
    "--locale=C",
    "--no-sync",
    "--no-instructions",
  ];
  await promisify(execFile)(programs.initdb, args, { ...user });
}

/** Starts the server and resolves when it accepts connections; rejects with its last words when it ends before. */
export async function runPostgres(cluster: PostgresCluster): Promise<PostgresProcess> {
  const { programs, dataFolder, settings, user } = cluster;
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(programs.postgres, ["-D", dataFolder, ...args], {
    ...user,
    // Of a group of its own: Ctrl-C is for the tests, which then stop it.
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, LC_ALL: "C" },
  });
  const { stderr } = child;
  const exit = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await untilReady(child, stderr);
  const pid = child.pid ?? 0;
  // Whoever forgets to stop it can end nevertheless; its guard then stops it.
  child.unref();
  const end = async (signal: () => void | Promise<void>): Promise<void> => {
    child.ref();
    await signal();
    await exit;
  };
  return { pid, kill: () => end(() => killTree(pid)), stop: () => end(() => void child.kill("SIGINT")) };
}

async function untilReady(child: ChildProcess, stderr: Readable): Promise<void> {
  const lastWords: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const fail = (): void => reject(new Error(`PostgreSQL did not start: ${lastWords.join(" | ")}`));
    child.once("error", reject);
    child.once("exit", fail);
    // Read to the end, or the server would wait for its log to be read.
    createInterface({ input: stderr }).on("line", (line) => {
      lastWords.push(line);
      if (lastWords.length > 10) lastWords.shift();
      if (line.includes("ready to accept connections")) resolve();
    });
  });
  unref(stderr);
}

/**
 * Starts a shell that outlives this process by a moment: when its input ends, because this process died in
 * whatever way, it ends the server on a data folder and removes a temporary folder. Returns what dismisses it.
 */
export function guardServer(dataFolder: string, temporaryFolder: string): () => void {
  const script = `
    read -r _
    [ -e "$0/postmaster.pid" ] && kill -QUIT "$(head -n 1 "$0/postmaster.pid")"
    for _ in 1 2 3 4 5 6 7 8 9 10; do [ -e "$0/postmaster.pid" ] && sleep 0.2; done
    rm -rf "$1"`;
  const guard = spawn("sh", ["-c", script, dataFolder, temporaryFolder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.unref();
  unref(guard.stdin);
  return () => guard.kill("SIGKILL");
}

/** Streams of a child are sockets, whatever their type says; without it they keep this process alive. */
function unref(stream: Readable | Writable): void {
  if ("unref" in stream && typeof stream.unref === "function") stream.unref();
}

async function killTree(pid: number): Promise<void> {
  // Held, it starts no further processes while they are counted.
  process.kill(pid, "SIGSTOP");
  const children = (await listProcesses()).filter(({ parent }) => parent === pid).map(({ pid }) => pid);
  for (const each of [...children, pid]) process.kill(each, "SIGKILL");
  // The next start fails while one of them still holds the shared memory.
  while ((await listProcesses()).some((each) => children.includes(each.pid) && !each.isDead));
}

async function listProcesses(): Promise<{ pid: number; parent: number; isDead: boolean }[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,stat="]);
  return stdout
    .trim()
    .split("\n")
    .map((line) => {
      const [pid, parent, state = ""] = line.trim().split(/\s+/u);
      return { pid: Number(pid), parent: Number(parent), isDead: state.startsWith("Z") };
    });
}
