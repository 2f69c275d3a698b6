import { access, rm } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { createRandom } from "../fuzz/random.ts";
import type { LongestHold } from "./loop-hold.ts";
import { hostileSinks, type HostileSink } from "./hostile-sinks.ts";
import { startHostileServer, type HostileServer } from "./server-process.ts";

export interface HostileOptions {
  inputsPerSink: number;
  seed: number;
  /** Longest computation of a worker, in milliseconds. */
  deadlineMs: number;
  /** Only sinks whose name holds this. */
  only?: string | undefined;
  say(line: string): void;
}

/** What came of the inputs of one sink. */
export interface SinkReport {
  sink: string;
  inputs: number;
  /** Longest computation of a worker, in milliseconds. */
  deadlineMs: number;
  /** Inputs by what they ended in. */
  values: number;
  errors: number;
  /** Of the server's event loop. */
  held: LongestHold;
  /** The longest that a request took. */
  slowestMs: number;
}

export interface HostileReport {
  seed: number;
  sinks: SinkReport[];
  /** What must never be; empty when all went well. */
  findings: string[];
  /** Most resident memory of the server at any time. */
  peakMb: number;
}

interface Run {
  options: HostileOptions;
  server: HostileServer;
  findings: string[];
}

const workers = 2;
const tracePath = "/tmp/hostile-trace";
const secret = "hostile-secret-of-the-environment";
/** What no answer may hold: the environment of the server, and the file of accounts. */
const secrets = [secret, "root:x:0:0"];

/** What an error of a request says that got as far as the network. */
const connection = /\((?:ECONN|ENET|EHOST|ETIMEDOUT|EPIPE|UND_ERR)/u;

/** Sends hostile inputs to every sink over HTTP, and looks for what they may have done to the server's process. */
export async function runHostile(options: HostileOptions): Promise<HostileReport> {
  const { seed, deadlineMs, only = "" } = options;
  await rm(tracePath, { force: true });
  const report: HostileReport = { seed, sinks: [], findings: [], peakMb: 0 };
  const canary = await startCanary(() => report.findings.push("a request has left"));
  const sinks = hostileSinks(canary.port).filter(({ name }) => name.includes(only));
  const slow = sinks.filter(({ loadsMs }) => loadsMs !== undefined);
  try {
    await runSinks({ ...options, sinks: sinks.filter((sink) => !slow.includes(sink)) }, report);
    const longestMs = Math.max(deadlineMs, ...slow.map(({ loadsMs = 0 }) => loadsMs));
    await runSinks({ ...options, deadlineMs: longestMs, sinks: slow }, report);
  } finally {
    await canary.close();
  }
  return report;
}

/** Runs sinks against a server of their own. */
async function runSinks(options: HostileOptions & { sinks: readonly HostileSink[] }, report: HostileReport) {
  const { sinks, deadlineMs, say } = options;
  const { findings } = report;
  if (sinks.length === 0) return;
  const server = await startHostileServer({ workers, deadlineMs, memoryMb: 128 }, secret);
  try {
    const { prototypes } = await server.look();
    for (const sink of sinks) {
      const result = await runSink({ options, server, findings }, sink);
      report.sinks.push(result);
      const sight = await server.look();
      report.peakMb = Math.max(report.peakMb, sight.peakMb);
      if (sight.prototypes !== prototypes) findings.push(`${sink.name}: a prototype or the global object has changed`);
      if (await exists(tracePath)) findings.push(`${sink.name}: a file was written`);
      say(JSON.stringify({ ...result, findings: findings.length, peakMb: report.peakMb }));
    }
  } finally {
    await server.stop();
  }
}

async function runSink(run: Run, sink: HostileSink): Promise<SinkReport> {
  const { options, server } = run;
  await sink.prepare?.(server);
  const inputs = await sink.inputs(options.inputsPerSink, createRandom(options.seed, 1));
  const report: SinkReport = {
    sink: sink.name,
    inputs: inputs.length,
    deadlineMs: options.deadlineMs,
    values: 0,
    errors: 0,
    held: { cpuMs: 0, wallMs: 0 },
    slowestMs: 0,
  };
  // Code that runs for the first time is compiled then: that is no input's doing.
  for (const place of [-1, -2, -3]) await sink.ask(server, inputs[0] ?? "", place);
  await server.look();
  const waiting = inputs.entries();
  const client = async (): Promise<void> => {
    for (const [place, text] of waiting) await askOne(run, { sink, text, place }, report);
  };
  // No more than there are workers: what is timed is the answer, not the wait for others.
  await Promise.all(Array.from({ length: workers }, client));
  report.held = (await server.look()).held;
  return report;
}

interface Question {
  sink: HostileSink;
  text: string;
  place: number;
}

async function askOne({ server, findings }: Run, { sink, text, place }: Question, report: SinkReport): Promise<void> {
  const note = (what: string) => findings.push(`${sink.name}: ${what} for ${JSON.stringify(text).slice(0, 200)}`);
  try {
    const { end, ms, text: answered } = await sink.ask(server, text, place);
    report.slowestMs = Math.max(report.slowestMs, Math.round(ms));
    if (end === "error") report.errors += 1;
    else if (end === "value") report.values += 1;
    else note(end.wrong);
    if (sink.refusesAll && (end === "value" || connection.test(answered))) note("not refused");
    if (secrets.some((one) => answered.includes(one))) note("the answer tells a secret");
  } catch (error) {
    if (server.endedWith() !== undefined) throw error;
    note(`no answer (${String(error)})`);
  }
}

/** Listens on this machine for requests that must not be made. */
async function startCanary(onRequest: () => void): Promise<{ port: number; close(): Promise<void> }> {
  const listener = createServer((socket) => {
    onRequest();
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  return { port, close: () => new Promise((resolve) => listener.close(() => resolve())) };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
