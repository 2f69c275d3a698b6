import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import RED from "node-red";
import { announce } from "./serve.mjs";
import { steps } from "./steps.mjs";

// Ten function nodes between "http in" and "http response". Each keeps its last state in the context store of
// files, which writes every 30 s as it comes, or at each step if PEER_CONTEXT is `written`. Neither is durable:
// nothing is synchronised with the disk, and a flow does not go on after a restart.
const isWritten = process.env.PEER_CONTEXT === "written";
const settings = {
  httpAdminRoot: false,
  httpNodeRoot: "/",
  flowFile: "flows.json",
  userDir: process.env.PEER_DATA_DIR,
  contextStorage: { default: { module: "localfilesystem", config: { cache: !isWritten } } },
  logging: { console: { level: "off" } },
  editorTheme: { tours: false },
  telemetry: { enabled: false },
};

const functionNodes = steps.map((step, index) => ({
  id: `step${index}`,
  type: "function",
  z: "flow",
  outputs: 1,
  func: `const step = ${step};
msg.payload = step(msg.payload);
context.set("state", msg.payload, (error) => { error ? node.error(error, msg) : node.send(msg); });
return null;`,
  wires: [[index + 1 < steps.length ? `step${index + 1}` : "answer"]],
}));
const flows = [
  { id: "flow", type: "tab", label: "chain" },
  { id: "ask", type: "http in", z: "flow", url: "/start", method: "post", wires: [["step0"]] },
  ...functionNodes,
  { id: "answer", type: "http response", z: "flow", wires: [] },
];

await writeFile(join(settings.userDir, settings.flowFile), JSON.stringify(flows));
const server = createServer((request, response) => RED.httpNode(request, response));
RED.init(server, settings);
const started = new Promise((resolve) => RED.events.once("flows:started", resolve));
await RED.start();
await started;
server.listen(0, "127.0.0.1");
await once(server, "listening");
announce(`http://127.0.0.1:${server.address().port}/start`);
