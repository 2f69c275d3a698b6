import { createServer } from "node:http";

/** Reads the whole body of a request as JSON. */
async function readJson(request) {
  let text = "";
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}

async function answer(request, response, runWorkflow) {
  try {
    const state = await runWorkflow(await readJson(request));
    response.setHeader("content-type", "application/json").end(JSON.stringify(state));
  } catch (error) {
    response.statusCode = 500;
    response.end(String(error?.stack ?? error));
  }
}

/**
 * The HTTP side of a peer: `POST /start` with a state runs one workflow and answers its last state when it
 * has finished. Prints its address once it listens.
 */
export async function serve(runWorkflow) {
  const server = createServer((request, response) => void answer(request, response, runWorkflow));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  announce(`http://127.0.0.1:${server.address().port}/start`);
}

/** Tells whoever started this process where workflows are started. Ends at SIGTERM, and with the standard input. */
export function announce(url) {
  process.once("SIGTERM", () => process.exit(0));
  process.stdin.resume().once("end", () => process.exit(0));
  process.stdout.write(`serving ${url}\n`);
}

/** Callers that wait for a workflow, by the identifier of the workflow. */
export class Waiters {
  #waiters = new Map();

  /** The state that `settle` is called with for this identifier. */
  wait(id) {
    return new Promise((resolve, reject) => this.#waiters.set(id, { resolve, reject }));
  }

  settle(id, state) {
    this.#waiters.get(id)?.resolve(state);
    this.#waiters.delete(id);
  }

  fail(id, error) {
    this.#waiters.get(id)?.reject(error);
    this.#waiters.delete(id);
  }
}
