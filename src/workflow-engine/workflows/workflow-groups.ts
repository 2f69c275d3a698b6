import type { Caller } from "../../core/caller.ts";
import { notFound } from "../../core/errors.ts";
import { restrictingGroups } from "../../core/group-access.ts";
import { areSameGroups, changedGroups, requirePossible, type GroupChange } from "../../core/group-change.ts";
import type { Stored } from "../../store/store.ts";
import type { StoredWorkflow } from "./stored-workflow.ts";
import { readWorkflow, replaceWorkflow, type WorkflowServiceOptions } from "./workflow-writing.ts";

/** Which groups see a workflow: workflow-engine.md §9.3, as those of a job (§7.4). */
export interface WorkflowGroups {
  /** The groups that restrict a workflow, named by name or `_id`; none: everybody. NOT_FOUND when there is none. */
  groupsOf(nameOrId: string, caller: Caller): Promise<string[]>;
  /**
   * Changes them, and answers the groups after it. New groups must exist (BAD_REQUEST), the one to be taken away must
   * be one of the workflow's (NOT_FOUND). Who is no administrator keeps access, and may not open the workflow to
   * everybody (FORBIDDEN). CONFLICT when the workflow was changed meanwhile.
   */
  changeGroups(nameOrId: string, change: GroupChange, caller: Caller): Promise<string[]>;
}

export function createWorkflowGroups(options: WorkflowServiceOptions): WorkflowGroups {
  const read = async (nameOrId: string, caller: Caller): Promise<Stored<StoredWorkflow>> => {
    const stored = await readWorkflow(options.store, nameOrId, caller);
    if (!stored) throw notFound(`Could not find workflow: ${nameOrId}`);
    return stored;
  };
  const groupsIn = ({ document }: Stored<StoredWorkflow>): string[] => [...new Set(restrictingGroups(document.groups))];
  return {
    groupsOf: async (nameOrId, caller) => groupsIn(await read(nameOrId, caller)),
    async changeGroups(nameOrId, change, caller) {
      const stored = await read(nameOrId, caller);
      const before = groupsIn(stored);
      await requirePossible("workflow", change, { source: options.store, listed: before });
      const after = changedGroups(before, change);
      if (areSameGroups(before, after)) return before;
      await replaceWorkflow(options, stored, { changes: { groups: after }, caller });
      return after;
    },
  };
}
