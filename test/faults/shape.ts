import type { WorkflowDocument } from "../../src/workflow-engine/workflow-schema.ts";

/** A workflow that faults are let loose on. However it is interrupted, it ends in one way only. */
export interface Shape {
  workflow: WorkflowDocument;
  /** Job variables it starts with. */
  variables: Record<string, unknown>;
  /** Costs many times what the others do: started less often. */
  isHeavy?: boolean;
}
