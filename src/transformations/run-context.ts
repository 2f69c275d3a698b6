import type { MethodContext } from "./libraries/library-method.ts";
import { machineZone } from "./libraries/date-fields.ts";
import { RunBudget } from "./run-limits.ts";
import type { RegularExpression, TransformationEnvironment } from "./transformation-environment.ts";

/** One run: what its steps may use and spend. */
export interface RunContext extends MethodContext {
  readonly budget: RunBudget;
}

const rememberedExpressions = 200;

/** Begins a run. */
export function createRunContext(environment: TransformationEnvironment): RunContext {
  const budget = new RunBudget(environment);
  const offset = environment.timeZoneOffset;
  return {
    budget,
    startedAt: environment.now(),
    random: () => environment.random(),
    zone: offset === undefined ? machineZone : () => offset,
    query: (query, value) => environment.query(query, value),
    regularExpression: rememberExpressions(environment, budget),
    charge: (cells) => budget.charge(cells),
  };
}

/** Compiles each expression once per run, and looks at the time before each use, as it may take long. */
function rememberExpressions(
  environment: TransformationEnvironment,
  budget: RunBudget,
): MethodContext["regularExpression"] {
  const known = new Map<string, RegularExpression>();
  return (source, flags) => {
    budget.checkTime();
    const key = `${flags}/${source}`;
    const expression = known.get(key) ?? environment.compileRegularExpression(source, flags);
    if (known.size >= rememberedExpressions) known.clear();
    known.set(key, expression);
    return expression;
  };
}
