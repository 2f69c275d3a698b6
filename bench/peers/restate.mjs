import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";
import * as restate from "@restatedev/restate-sdk";
import { createStepRunner } from "./run-step.mjs";
import { announce } from "./serve.mjs";
import { steps } from "./steps.mjs";

// Restate's server beside a service of ten durable steps (`ctx.run`); callers use the server's own ingress.
const runStep = createStepRunner();

// The SDK uses it, and Node 20 does not have it.
Promise.withResolvers ??= () => {
  const resolvers = {};
  resolvers.promise = new Promise((resolve, reject) => Object.assign(resolvers, { resolve, reject }));
  return resolvers;
};

const chain = restate.service({
  name: "chain",
  handlers: {
    async start(context, first) {
      let state = first;
      for (const index of steps.keys()) state = await context.run(`step${index}`, () => runStep(index, state));
      return state;
    },
  },
});

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

function startServer({ node, ingress, admin }) {
  const require = createRequire(import.meta.resolve("@restatedev/restate-server/package.json"));
  const platformPackage = `@restatedev/restate-server-${process.platform}-${process.arch}`;
  const binary = join(require.resolve(`${platformPackage}/package.json`), "../bin/restate-server");
  const server = spawn(binary, ["--no-logo", "--listen-mode", "tcp", "--base-dir", process.env.PEER_DATA_DIR], {
    stdio: ["ignore", "ignore", "ignore"],
    env: {
      ...process.env,
      RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
      RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}`,
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      RESTATE_DISABLE_TELEMETRY: "true",
      RUST_LOG: "error",
    },
  });
  process.once("exit", () => server.kill("SIGKILL"));
  server.once("exit", (code) => process.exit(code ?? 1));
}

/** Registers the service as soon as the server takes it. */
async function register(admin, uri) {
  for (;;) {
    const reply = await fetch(`http://127.0.0.1:${admin}/deployments`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ uri }),
    }).catch(() => undefined);
    if (reply?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const [service, node, ingress, admin] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
startServer({ node, ingress, admin });
await restate.serve({ services: [chain], port: service });
await register(admin, `http://127.0.0.1:${service}`);
announce(`http://127.0.0.1:${ingress}/chain/start`);
