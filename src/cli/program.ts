import { Command, Option } from "commander";
import { connect, type ApiClient } from "./api-client.ts";
import { runDemo } from "./demo-command.ts";
import { importFiles } from "./import-command.ts";
import { listJobs, startJob, watchJob } from "./job-commands.ts";
import { addOperatorCommands } from "./operator-commands.ts";
import { processOutput, type Output } from "./output.ts";
import { replayJob } from "./replay-command.ts";
import { serve } from "./serve-command.ts";
import { tryTask, type TrialArguments } from "./task-command.ts";

interface ClientOptions {
  server: string;
  user: string;
  password: string;
  token?: string;
  json?: boolean;
}

/** The command line. Each command ends with the exit code it resolves with, handed to `exit`. */
export function createProgram(version: string, exit: (code: number) => void): Command {
  const program = new Command("linewright")
    .description("Network automation: durable workflows against devices, orchestrators and IT systems.")
    .version(version)
    .showHelpAfterError("(see linewright --help)");
  addServerCommands(program, exit);
  addOperatorCommands(program, version, exit);
  addClientCommands(program, exit);
  return program;
}

function addServerCommands(program: Command, exit: (code: number) => void): void {
  program
    .command("serve")
    .description("Start the platform and serve its API until it is told to stop.")
    .action(async () => exit(await serve()));
  program
    .command("demo")
    .description("Start the platform with two demo routers, check and change them by a workflow, and stay up.")
    .option("--once", "end after the report; exit code 0 when all is well")
    .option("--json", "one JSON value per line")
    .action(async (options: { once?: boolean; json?: boolean }) =>
      exit(await runDemo(processOutput(options.json === true), { isOnce: options.once === true })),
    );
}

/** Does something as a client of a running platform, and ends with its exit code. */
type RunAsClient = (
  options: ClientOptions,
  act: (client: ApiClient, output: Output) => Promise<number>,
) => Promise<void>;

function addClientCommands(program: Command, exit: (code: number) => void): void {
  const run: RunAsClient = async (options, act) => {
    const { server, user, password, token } = options;
    const client = await connect({ url: server, username: user, password, token });
    exit(await act(client, processOutput(options.json === true)));
  };

  asClient(program.command("import <files...>"))
    .description("Import projects, workflows, transformations, command templates and prebuilts from files.")
    .action((files: string[], options: ClientOptions) =>
      run(options, (client, output) => importFiles(client, output, files)),
    );

  asClient(program.command("task").description("Try tasks of the engine.").command("try <task>"))
    .description("Try a task: what it gives for these arguments. Exit code 1 when it ends in error.")
    .option("--incoming <json>", "its arguments as a JSON object, @file, or - for standard input")
    .option("--variables <json>", "job variables that references read, given in the same ways")
    .action((task: string, options: ClientOptions & TrialArguments) =>
      run(options, (client, output) => tryTask(client, output, task, options)),
    );
  addJobCommands(program, run);
}

function addJobCommands(program: Command, run: RunAsClient): void {
  const job = program.command("job").description("Start, follow and list jobs.");
  asClient(job.command("start <workflow>"))
    .description("Start a workflow as a new job.")
    .option("--variables <json>", "job variables as a JSON object, @file, or - for standard input")
    .option("--description <text>", "description of the job")
    .option("--watch", "follow the job until it is at rest")
    .action(
      (workflow: string, options: ClientOptions & { variables?: string; description?: string; watch?: boolean }) =>
        run(options, (client, output) => startJob(client, output, workflow, options)),
    );
  asClient(job.command("watch <job>"))
    .description("Follow a job until it is at rest.")
    .action((jobId: string, options: ClientOptions) =>
      run(options, (client, output) => watchJob(client, output, jobId)),
    );
  asClient(job.command("replay <job>"))
    .description("Show what happened to a job, and how it was after any of its events.")
    .option("--until <event>", "number of the last event", (text) => Number.parseInt(text, 10))
    .action((jobId: string, options: ClientOptions & { until?: number }) =>
      run(options, (client, output) => replayJob(client, output, jobId, options.until)),
    );
  asClient(job.command("list"))
    .description("List jobs, the newest first.")
    .option("--status <status>", "only jobs in this status")
    .option("--limit <number>", "how many", (text) => Number.parseInt(text, 10), 20)
    .action((options: ClientOptions & { status?: string; limit: number }) =>
      run(options, (client, output) => listJobs(client, output, options)),
    );
}

/** Options every command has that talks to a running platform. */
function asClient(command: Command): Command {
  return command
    .addOption(
      new Option("--server <url>", "address of the platform").env("LINEWRIGHT_URL").default("http://127.0.0.1:3000"),
    )
    .addOption(new Option("--user <name>", "account").env("LINEWRIGHT_USERNAME").default("admin"))
    .addOption(new Option("--password <text>", "its password").env("LINEWRIGHT_PASSWORD").default("", "none"))
    .addOption(new Option("--token <text>", "a session token instead").env("LINEWRIGHT_TOKEN"))
    .option("--json", "one JSON value per line");
}
