import { idOf, type FuzzScene } from "./fuzz-scene.ts";
import { filterList, someOf, type GoodRequest, type GoodRequests } from "./good-request.ts";
import { twoPeople } from "../../support/repairs.ts";

const projects = "/automation-studio/projects";
const templates = "/automation-studio/templates";

async function project(scene: FuzzScene): Promise<string> {
  return idOf(await scene.ask("POST", projects, { name: scene.freshName() }));
}

const ofProject =
  (body?: object): GoodRequest =>
  async (scene) => ({
    params: { projectId: await project(scene) },
    ...(body ? { body } : {}),
  });

const picture = { imageData: "data:image/png;base64,AAAA", backgroundColor: "#102030" };

async function components(scene: FuzzScene): Promise<object> {
  const automation = twoPeople(scene.freshName());
  const reference = idOf(await scene.ask("POST", "/automation-studio/automations", { automation }));
  return { components: [{ type: "workflow", reference, folder: "/A" }], mode: scene.random.pick(["move", "copy"]) };
}

const textFsm = "Value NAME (\\S+)\n\nStart\n  ^${NAME} vlan -> Record\n";

function template(scene: FuzzScene, type: "jinja2" | "textfsm"): object {
  const name = scene.freshName();
  return {
    name,
    type,
    group: name,
    command: "c",
    template: type === "jinja2" ? "{{ a }} {% for b in c %}{{ b }}{% endfor %}" : textFsm,
  };
}

async function storedTemplate(scene: FuzzScene, type: "jinja2" | "textfsm"): Promise<{ id: string; name: string }> {
  const made = template(scene, type) as { name: string };
  return { id: idOf(await scene.ask("POST", templates, { template: made })), name: made.name };
}

const ofTemplate =
  (body?: object): GoodRequest =>
  async (scene) => ({
    params: { id: (await storedTemplate(scene, "jinja2")).id },
    ...(body ? { body } : {}),
  });

/** The plain one of the corpus, under a name of its own. */
function transformation({ corpus, freshName }: FuzzScene): object {
  const { _id: _, ...document } = corpus.transformation[0] ?? {};
  return { ...document, name: freshName() };
}

const ofTransformation =
  (body?: (scene: FuzzScene) => unknown): GoodRequest =>
  async (scene) => {
    const reply = await scene.ask("POST", "/transformations", transformation(scene));
    return { params: { id: idOf(reply) }, ...(body ? { body: body(scene) } : {}) };
  };

const projectRequests: GoodRequests = {
  "AutomationStudio.getProjects": filterList("name", "_id", "description"),
  "AutomationStudio.getProject": ofProject(),
  "AutomationStudio.exportProject": ofProject(),
  "AutomationStudio.getProjectThumbnail": async (scene) => {
    const projectId = await project(scene);
    await scene.ask("PUT", `${projects}/${projectId}/thumbnail`, picture);
    return { params: { projectId } };
  },
  "AutomationStudio.createProject": ({ random, freshName }) => ({
    body: { name: freshName(), ...someOf(random, { description: "d" }) },
  }),
  "AutomationStudio.importProject": ({ random, corpus, freshName }) => {
    const { _id: _, ...document } = random.pick(corpus.project);
    const project = { ...document, name: freshName() };
    return { body: { project, conflictMode: "insert-new", assignNewReferences: true } };
  },
  "AutomationStudio.updateProject": async (scene) => ({
    params: { projectId: await project(scene) },
    body: someOf(scene.random, { name: scene.freshName(), description: "d", backgroundColor: "#102030" }),
  }),
  "AutomationStudio.uploadProjectThumbnail": ofProject(picture),
  "AutomationStudio.deleteProject": ofProject(),
  "AutomationStudio.addComponentsToProject": async (scene) => ({
    params: { projectId: await project(scene) },
    body: await components(scene),
  }),
  "AutomationStudio.removeComponentFromProject": async (scene) => {
    const projectId = await project(scene);
    await scene.ask("POST", `${projects}/${projectId}/components/add`, await components(scene));
    return { params: { projectId, componentId: "0" } };
  },
};

const templateRequests: GoodRequests = {
  "AutomationStudio.getTemplates": filterList("name", "_id", "type", "group"),
  "AutomationStudio.getTemplate": ofTemplate(),
  "AutomationStudio.exportTemplate": ofTemplate(),
  "AutomationStudio.createTemplate": (scene) => ({
    body: { template: template(scene, scene.random.pick(["jinja2", "textfsm"])) },
  }),
  "AutomationStudio.updateTemplate": ofTemplate({ update: { template: "{{ b }}", description: "d" } }),
  "AutomationStudio.deleteTemplate": ofTemplate(),
  "AutomationStudio.importTemplates": (scene) => ({
    body: { templates: [template(scene, "jinja2"), template(scene, "textfsm")] },
  }),
  "TemplateBuilder.renderJinjaTemplate": async (scene) => ({
    params: { name: (await storedTemplate(scene, "jinja2")).name },
    body: { context: { a: 1, c: [1, "b", null] } },
  }),
  "TemplateBuilder.parseTemplate": () => ({ body: { template: textFsm, text: "r1 vlan 10\n" } }),
  "TemplateBuilder.applyTemplate": async (scene) => ({
    body: { name: (await storedTemplate(scene, "textfsm")).name, text: "r1 vlan 10\n" },
  }),
  "TemplateBuilder.applyTemplates": async (scene) => ({
    body: { group: (await storedTemplate(scene, "textfsm")).name, text: "r1 vlan 10\n" },
  }),
};

const transformationRequests: GoodRequests = {
  "Transformations.searchTransformations": filterList("name", "_id", "description"),
  "Transformations.createTransformation": (scene) => ({ body: transformation(scene) }),
  "Transformations.importTransformation": (scene) => ({ body: { transformation: transformation(scene) } }),
  "Transformations.validateTransformation": (scene) => ({ body: { transformation: transformation(scene) } }),
  "Transformations.getTransformation": ofTransformation(),
  "Transformations.updateTransformation": ofTransformation(transformation),
  "Transformations.deleteTransformation": ofTransformation(),
  "Transformations.runTransformation": ofTransformation(({ random }) => ({
    incoming: { list: ["a", "b"] },
    ...someOf(random, { options: { extractOutput: true } }),
  })),
};

/** Projects, templates and transformations. */
export const studioRequests: GoodRequests = { ...projectRequests, ...templateRequests, ...transformationRequests };
