import { describe, expect, it } from "vitest";
import { applyChange, createState } from "../../../src/workflow-engine/interpreter/apply-change.ts";
import { compileWorkflow } from "../../../src/workflow-engine/interpreter/compiled-workflow.ts";
import { documentOfState, stateOfDocument } from "../../../src/workflow-engine/jobs/log-format.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const workflow = compileWorkflow({
  workflow: workflowOf("w", { a1: {}, b1: {} }, ["start > a1", "a1 > b1", "b1 > end"]),
  transformations: {},
});
const person = (accountId: string) => ({ accountId, username: accountId });
const claimedBy = (task: string, accountId: string) =>
  ({ change: "claimed", task, owner: person(accountId), at: 2 }) as const;

function claimedState() {
  const origin = {
    _id: "0123456789abcdef01234567",
    snapshot: "s",
    workflowId: "w",
    name: "w",
    variables: {},
    initiator: person("starter"),
    groups: [],
    ancestors: [],
  };
  const state = createState(origin, 1, workflow);
  applyChange(state, claimedBy("a1", "first"), workflow);
  applyChange(state, { change: "released", task: "a1" }, workflow);
  applyChange(state, claimedBy("a1", "second"), workflow);
  applyChange(state, claimedBy("b1", "second"), workflow);
  return state;
}

describe("owners of tasks in the state of a job", () => {
  it("stay when a task is given back, each once", () => {
    expect(claimedState().owners).toEqual(["first", "second"]);
  });

  it("are kept in snapshots", () => {
    const state = claimedState();
    const written = JSON.parse(JSON.stringify(documentOfState(state))) as ReturnType<typeof documentOfState>;
    expect(stateOfDocument(written).owners).toEqual(state.owners);
  });

  it("are those of now where an older snapshot does not tell", () => {
    const { owners: _owners, ...written } = documentOfState(claimedState());
    expect(stateOfDocument(written).owners).toEqual(["second"]);
  });
});
