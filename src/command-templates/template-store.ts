import type { Caller } from "../core/caller.ts";
import type { Clock } from "../core/clock.ts";
import { conflict, notFound } from "../core/errors.ts";
import { DuplicateKeyError, VersionConflictError, type Store, type Write } from "../store/store.ts";
import type { CommandTemplate, CommandTemplateInput } from "./command-template-schema.ts";

const collection = "mop_templates";

/** Texts clients of the field look for: spec templates-gateway-forms.md §1.6. */
const templateTexts = {
  notFound: "Could not find matching template",
  duplicate: "Template must have a unique name: Given name is already in use.",
} as const;

/** Command templates: spec templates-gateway-forms.md §1.1 and §1.6. `_id` always equals the name. */
export interface TemplateStore {
  list(): Promise<CommandTemplate[]>;
  /** NOT_FOUND with the field's text. */
  read(name: string): Promise<CommandTemplate>;
  /** CONFLICT with the field's text when the name is taken. */
  create(template: CommandTemplateInput, caller: Caller): Promise<CommandTemplate>;
  /** Replaces the whole template; another name moves it. Creation data is kept when not given. */
  update(name: string, template: CommandTemplateInput, caller: Caller): Promise<CommandTemplate>;
  /** False when there was none. */
  remove(name: string): Promise<boolean>;
  /** Stores it under its name, or the first free `name (n)`. Nothing is added to what was exported. */
  importTemplate(template: CommandTemplateInput): Promise<CommandTemplate>;
  /** The document without its `_id`. */
  exportTemplate(name: string): Promise<CommandTemplateInput>;
}

const updateAttempts = 5;

export function createTemplateStore(store: Store, clock: Clock): TemplateStore {
  async function find(name: string): Promise<{ document: CommandTemplate; version: number }> {
    const found = await store.read<CommandTemplate>(collection, name);
    if (!found) throw notFound(templateTexts.notFound);
    return found;
  }

  async function replace(name: string, template: CommandTemplateInput, caller: Caller): Promise<CommandTemplate> {
    const { document: before, version } = await find(name);
    const { created, createdBy } = before;
    const changed = identified(
      audited({ ...(created && { created }), ...(createdBy !== undefined && { createdBy }), ...template }, caller),
    );
    const writes: Write[] =
      changed._id === before._id
        ? [{ kind: "replace", collection, document: changed, version }]
        : [
            { kind: "remove", collection, id: before._id },
            { kind: "insert", collection, document: changed },
          ];
    await store.commit(writes);
    return changed;
  }

  /** Who and when, where the client does not say so itself. */
  function audited(template: CommandTemplateInput, caller: Caller): CommandTemplateInput {
    const { created, lastUpdated, createdBy = caller.username, lastUpdatedBy = caller.username } = template;
    const now = clock.now();
    return { ...template, created: created ?? now, createdBy, lastUpdated: lastUpdated ?? now, lastUpdatedBy };
  }

  return {
    list: () => store.find<CommandTemplate>(collection, {}, { sort: { name: 1 } }),
    read: async (name) => (await find(name)).document,
    async create(template, caller) {
      const document = identified(audited(template, caller));
      await told(() => store.commit([{ kind: "insert", collection, document }]));
      return document;
    },
    update: (name, template, caller) => told(() => retried(() => replace(name, template, caller))),
    async remove(name) {
      const known = await store.read(collection, name);
      if (known) await store.commit([{ kind: "remove", collection, id: name }]);
      return known !== undefined;
    },
    async importTemplate(template) {
      for (let copy = 0; ; copy++) {
        const document = identified(copy === 0 ? template : { ...template, name: `${template.name} (${copy})` });
        const isStored = await store.commit([{ kind: "insert", collection, document }]).then(
          () => true,
          (error: unknown) => {
            if (error instanceof DuplicateKeyError) return false;
            throw error;
          },
        );
        if (isStored) return document;
      }
    },
    async exportTemplate(name) {
      const { _id, ...template } = (await find(name)).document;
      return template;
    },
  };
}

function identified(template: CommandTemplateInput): CommandTemplate {
  return { ...template, _id: template.name };
}

async function told<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    throw error instanceof DuplicateKeyError ? conflict(templateTexts.duplicate) : error;
  }
}

/** Updates replace the whole document, so the last one counts: a lost race is simply run again. */
async function retried<Result>(update: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await update();
    } catch (error) {
      if (!(error instanceof VersionConflictError) || attempt === updateAttempts) throw error;
    }
  }
}
