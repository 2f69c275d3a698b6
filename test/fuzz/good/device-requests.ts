import { commandTemplate, routerDevice } from "./common-objects.ts";
import type { FuzzScene } from "./fuzz-scene.ts";
import { someOf, type GoodRequest, type GoodRequests } from "./good-request.ts";

const rules = [{ rule: "FRR", eval: "contains", severity: "error" }];

function template(name: string): object {
  return { name, description: "d", passRule: true, commands: [{ command: "show version", rules }] };
}

async function storedTemplate(scene: FuzzScene): Promise<string> {
  const name = scene.freshName();
  await scene.ask("POST", "/mop/createTemplate", { mop: template(name) });
  return name;
}

/** On this machine, on a port where nobody listens. */
function device(scene: FuzzScene): Record<string, unknown> & { name: string } {
  const optional = { port: 9, platform: "frr", username: "u", password: "p", groups: ["g"], variables: { site: "x" } };
  return { name: scene.freshName(), host: "127.0.0.1", ...someOf(scene.random, optional) };
}

async function storedDevice(scene: FuzzScene): Promise<string> {
  const made = device(scene);
  await scene.ask("POST", "/inventory/devices", made);
  return made.name;
}

const ofDevice: GoodRequest = async (scene) => ({ params: { name: await storedDevice(scene) } });
const variables = { interface: "eth0" };

const commandRequests: GoodRequests = {
  "MOP.listATemplate": () => ({ params: { name: commandTemplate } }),
  "MOP.createTemplate": (scene) => ({ body: { mop: template(scene.freshName()) } }),
  "MOP.updateTemplate": async (scene) => {
    const name = await storedTemplate(scene);
    return { params: { mopID: name }, body: { mop: { ...template(name), description: "changed" } } };
  },
  "MOP.deleteTemplate": async (scene) => ({ params: { id: await storedTemplate(scene) }, body: {} }),
  "MOP.exportTemplate": () => ({ body: { options: { name: commandTemplate }, type: "templates" } }),
  "MOP.importTemplate": (scene) => ({ body: { type: "templates", template: template(scene.freshName()) } }),
  "MOP.RunCommandTemplate": () => ({ body: { template: commandTemplate, variables, devices: [routerDevice] } }),
  "MOP.RunCommandTemplateSingleCommand": () => ({
    body: { templateId: commandTemplate, commandIndex: 0, variables, devices: routerDevice },
  }),
  "MOP.RunCommand": () => ({ body: { command: "show version", variables, device: routerDevice, rules } }),
  "MOP.RunCommandDevices": () => ({ body: { command: "show version", variables, devices: [routerDevice], rules } }),
  "MOP.passThru": () => ({ params: { device: routerDevice }, body: { command: "show version" } }),
  "MOP.GetBootFlash": () => ({ body: { device: routerDevice } }),
};

const inventoryRequests: GoodRequests = {
  "ConfigurationManager.createInventoryDevice": (scene) => ({ body: device(scene) }),
  "ConfigurationManager.importInventoryDevices": (scene) => ({ body: { devices: [device(scene), device(scene)] } }),
  "ConfigurationManager.getInventoryDevice": ofDevice,
  "ConfigurationManager.updateInventoryDevice": async (scene) => ({
    params: { name: await storedDevice(scene) },
    body: someOf(scene.random, { description: "d", port: 9, username: "v", isReadOnly: true }),
  }),
  "ConfigurationManager.deleteInventoryDevice": ofDevice,
  "ConfigurationManager.forgetHostKey": ofDevice,
  "ConfigurationManager.getDevice": () => ({ params: { name: routerDevice } }),
  "ConfigurationManager.isAlive": () => ({ params: { name: routerDevice } }),
};

/** Devices, and commands on them. */
export const deviceRequests: GoodRequests = { ...commandRequests, ...inventoryRequests };
