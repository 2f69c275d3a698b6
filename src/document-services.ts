import { createProjectService, forgetComponent, type StudioContext } from "./automation-studio/index.ts";
import { createJinjaRenderer, createTemplateService, createTextFsmParser } from "./template-builder/index.ts";
import { createTransformationsService, type Transform } from "./transformations/index.ts";
import type { WorkerPool } from "./worker-pool/index.ts";
import { createWorkflowService, type FindTaskModel, type TaskModels } from "./workflow-engine/index.ts";

/** Services of the applications that keep workflows and what belongs to them, by application. */
export function createDocumentServices(
  basics: Omit<StudioContext, "findTask"> & { random: () => number },
  { findTask, taskModels }: { findTask: FindTaskModel; taskModels: TaskModels },
  { transform, pool }: { transform: Transform; pool: WorkerPool },
) {
  const { store } = basics;
  const context: StudioContext = { ...basics, findTask };
  const workflows = createWorkflowService({
    ...context,
    writesOnRemoval: (workflow) => forgetComponent(store, "workflow", workflow),
  });
  const transformations = createTransformationsService({
    ...basics,
    transform,
    pool,
    writesOnRemoval: (document) => forgetComponent(store, "transformation", document),
  });
  const templates = createTemplateService({
    ...basics,
    writesOnRemoval: (document) => forgetComponent(store, "template", document),
  });
  const projects = createProjectService(context);
  return {
    AutomationStudio: { workflows, projects, templates, taskModels },
    WorkflowBuilder: { workflows, taskModels },
    Transformations: { transformations },
    TemplateBuilder: {
      jinja: createJinjaRenderer({ templates, pool, random: basics.random }),
      textFsm: createTextFsmParser({ templates, pool }),
    },
  };
}
