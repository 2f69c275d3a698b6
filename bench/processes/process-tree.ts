import { readdir, readFile } from "node:fs/promises";

/** What a process and all its descendants use. */
export interface ProcessUse {
  /** Resident memory in megabytes; what processes share counts once for each of them. */
  residentMb: number;
  /** Processor time so far, in milliseconds, that of ended children included. */
  cpuMs: number;
}

/** Reads `/proc`, so Linux only; zeros elsewhere. */
export async function processUse(root: number): Promise<ProcessUse> {
  const processes = await listProcesses();
  const use = { residentMb: 0, cpuMs: 0 };
  for (let pids = [root]; pids.length > 0;) {
    for (const { pid, residentMb, cpuMs } of processes) {
      if (!pids.includes(pid)) continue;
      use.residentMb += residentMb;
      use.cpuMs += cpuMs;
    }
    pids = processes.filter(({ parent }) => pids.includes(parent)).map(({ pid }) => pid);
  }
  return { residentMb: Math.round(use.residentMb), cpuMs: use.cpuMs };
}

/** The most memory that a process had resident at any time, in megabytes. */
export async function peakResidentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmHWM:\s+(\d+)/u.exec(status)?.[1] ?? 0) / 1024);
}

interface ProcessEntry extends ProcessUse {
  pid: number;
  parent: number;
}

// Linux counts processor time in hundredths of a second, and memory in pages.
const msPerTick = 10;
const pagesPerMb = 256;

async function listProcesses(): Promise<ProcessEntry[]> {
  const names = await readdir("/proc").catch(() => []);
  const entries = await Promise.all(names.filter((name) => /^\d+$/u.test(name)).map(readEntry));
  return entries.filter((entry) => entry !== undefined);
}

async function readEntry(pid: string): Promise<ProcessEntry | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // The name may hold blanks: fields are counted from the parenthesis that closes it.
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [, parent = 0] = fields;
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
    return { pid: Number(pid), parent, residentMb: (fields[21] ?? 0) / pagesPerMb, cpuMs: ticks * msPerTick };
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}
