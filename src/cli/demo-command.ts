import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pc from "picocolors";
import { readConfiguration } from "../configuration.ts";
import { createLogger } from "../core/logger.ts";
import { startDemoRouter, type DemoRouter } from "../demo-routers/index.ts";
import { startPlatform, type Platform } from "../platform.ts";
import { connect, type ApiClient } from "./api-client.ts";
import { createProgressView, type JobProgress } from "./job-progress.ts";
import { say, showResult, table, type Output } from "./output.ts";
import { untilSignal } from "./serve-command.ts";

const routerNames = ["demo-r1", "demo-r2"] as const;
const routerAccount = { username: "demo", password: "demo-password" };
const workflowName = "@6b7f3c2a9d1e4f5061728394: Describe an interface";
const projectFile = new URL("../../examples/projects/describe-an-interface.project.json", import.meta.url);

/**
 * `linewright demo`: starts a platform and two demo routers, imports the example project, runs its
 * workflow and shows what it does. Stays up afterwards unless `isOnce`; then the exit code tells
 * whether all went well.
 */
export async function runDemo(output: Output, { isOnce }: { isOnce: boolean }): Promise<number> {
  const configuration = readConfiguration(process.env);
  const dataDir = isOnce ? await mkdtemp(join(tmpdir(), "linewright-demo-")) : configuration.dataDir;
  const logger = createLogger(isOnce ? "error" : "warn", (line) => void process.stderr.write(`${line}\n`), Date.now);
  const platform = await startPlatform({ ...configuration, dataDir, ...(isOnce ? { port: 0 } : {}) }, logger);
  const routers = await Promise.all(routerNames.map((name) => startDemoRouter({ name, ...routerAccount })));
  try {
    const password = configuration.adminPassword ?? (await keptPassword(platform, dataDir));
    if (password === undefined) {
      say(
        output,
        `The data in ${dataDir} has an administrator already: set LINEWRIGHT_ADMIN_PASSWORD to its password, or use another LINEWRIGHT_DATA_DIR.`,
      );
      return 1;
    }
    const client = await connect({ url: platform.url, username: "admin", password });
    const isGood = await showChange(client, output, routers);
    if (isOnce) return isGood ? 0 : 1;
    const asked = untilSignal();
    stayUp(output, platform, password);
    await asked;
    return 0;
  } finally {
    await Promise.all(routers.map((router) => router.close()));
    await platform.stop();
    if (isOnce) await rm(dataDir, { recursive: true, force: true });
  }
}

/** The password made up at the first demo on this data, kept beside it so that the demo can be run again. */
async function keptPassword({ adminPassword }: Platform, dataDir: string): Promise<string | undefined> {
  const file = join(dataDir, "demo-password");
  if (adminPassword !== undefined) {
    await writeFile(file, adminPassword, { mode: 0o600 });
    return adminPassword;
  }
  return readFile(file, "utf8").catch(() => undefined);
}

/** Sets the scene over the API, as any user would, and runs the workflow. True when it did what it should. */
async function showChange(client: ApiClient, output: Output, routers: readonly DemoRouter[]): Promise<boolean> {
  say(output, pc.bold("Two demo routers"));
  const devices = routers.map((router, index) => ({
    name: routerNames[index] ?? "",
    host: "127.0.0.1",
    port: router.port,
    platform: "frr",
    ...routerAccount,
    enablePassword: "",
    // The demo routers make a new host key at every start.
    hostKeyPolicy: "off",
  }));
  await client.request("POST", "/inventory/devices/import", { devices });
  for (const device of devices)
    say(output, `  ${device.name}  ssh ${device.username}@${device.host} -p ${device.port}`);

  const project: unknown = JSON.parse(await readFile(projectFile, "utf8"));
  await client.request("POST", "/automation-studio/projects/import", { project, conflictMode: "overwrite" });
  say(output, pc.bold("\nWorkflow “Describe an interface”"));
  const variables = {
    devices: routerNames,
    device: routerNames[1],
    interface: "eth1",
    description: `set by linewright at ${new Date().toISOString()}`,
  };
  const job = await followJob(client, output, variables);
  return showReport(output, job);
}

async function followJob(client: ApiClient, output: Output, variables: object): Promise<JobProgress> {
  const view = createProgressView(output);
  const started = await client.request<{ data: JobProgress }>("POST", "/operations-manager/jobs/start", {
    workflow: workflowName,
    options: { description: "Demo", variables },
  });
  let job = started.data;
  while (job.status === "running") {
    view.show(job);
    job = (await client.request<{ data: JobProgress }>("GET", `/operations-manager/jobs/${job._id}?wait=150`)).data;
  }
  view.show(job);
  return job;
}

interface DemoVariables {
  report?: string;
  comparison?: { device: string; command: string; isSame: boolean }[];
  change?: { device: string; evaluated: string };
  check?: { result: boolean; commands_results: { device: string; evaluated: string; response: string }[] };
}

function showReport(output: Output, job: JobProgress): boolean {
  const { report, comparison = [], change, check } = (job.variables ?? {}) as DemoVariables;
  const isGood = job.status === "complete" && check?.result === true && comparison.every((entry) => entry.isSame);
  showResult(output, { status: job.status, isGood, report, comparison, change, check, error: job.error }, () =>
    [
      pc.bold("\nReport"),
      ...(change ? [`  Sent to ${change.device}:`, ...change.evaluated.split("\n").map((line) => `    ${line}`)] : []),
      ...(check?.commands_results ?? []).flatMap((entry) => [
        `  ${entry.device} says to ${entry.evaluated}:`,
        ...entry.response
          .trimEnd()
          .split("\n")
          .map((line) => `    ${line}`),
      ]),
      ...table(
        ["  Device", "Command", "Before and after"],
        comparison.map((entry) => [`  ${entry.device}`, entry.command, entry.isSame ? "the same" : "different"]),
      ).split("\n"),
      "",
      `  ${isGood ? pc.green(report ?? "") : pc.red(report ?? `The job is ${job.status}: ${JSON.stringify(job.error)}`)}`,
    ].join("\n"),
  );
  return isGood;
}

function stayUp(output: Output, platform: Platform, password: string): void {
  const { url } = platform;
  showResult(output, { url, username: "admin", password }, () =>
    [
      "",
      `The platform stays up; Ctrl-C ends it. Try: ${pc.cyan(`LINEWRIGHT_PASSWORD='${password}' npx linewright job list --server ${url}`)}`,
      `URL       ${pc.bold(url)}  (operations: ${url}/docs)`,
      `Account   ${pc.bold("admin")}`,
      `Password  ${pc.bold(password)}`,
    ].join("\n"),
  );
}
