import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Calls functions in another process, as an adapter host does: one line of JSON per call and per answer,
 * the calls of one turn of the event loop in one write. The called process ends with the caller.
 */
class CallChild {
  #child;
  #calls = new Map();
  #lastId = 0;
  #lines = "";
  #rest = "";

  constructor(child) {
    this.#child = child;
    child.stdout.setEncoding("utf8").on("data", (text) => this.#take(text));
    child.once("exit", () => this.#failAll());
  }

  call(index, state) {
    if (this.#lines === "") setImmediate(() => this.#flush());
    this.#lastId += 1;
    const id = this.#lastId;
    this.#lines += `${JSON.stringify({ id, index, state })}\n`;
    return new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject }));
  }

  stop() {
    this.#child.stdin.end();
  }

  #flush() {
    this.#child.stdin.write(this.#lines);
    this.#lines = "";
  }

  #take(text) {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop();
    for (const line of lines) {
      const { id, state } = JSON.parse(line);
      this.#calls.get(id).resolve(state);
      this.#calls.delete(id);
    }
  }

  #failAll() {
    for (const { reject } of this.#calls.values()) reject(new Error("the called process has ended"));
  }
}

/** Starts the called process. */
export function startCallChild() {
  const file = fileURLToPath(new URL("called-process.mjs", import.meta.url));
  return new CallChild(spawn(process.execPath, [file], { stdio: ["pipe", "pipe", "inherit"] }));
}
