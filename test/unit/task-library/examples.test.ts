import { describe, expect, it } from "vitest";
import { TaskError, type Task, type TaskExample, type TaskRun } from "../../../src/core/task.ts";
import { taskLibrary } from "../../../src/task-library/index.ts";

const context = { now: 0, random: () => 0.5 };
const loaded = await Promise.all(
  taskLibrary.map(async (task) => ({ ...task, run: task.run ?? (await task.loadRun?.()) })),
);
const computed = loaded.filter((task): task is typeof task & { run: TaskRun } => task.run !== undefined);

/** Fails on any attempt of a task to change what it was given. */
function frozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}

function expectExample(task: Task, example: TaskExample): void {
  const run = () => task.run?.(frozen(example.incoming), context);
  if (example.error !== undefined) {
    expect(run).toThrow(TaskError);
    expect(run).toThrow(example.error);
    return;
  }
  const result = run();
  expect(result?.outgoing).toEqual(example.outgoing ?? {});
  expect(result?.finishState).toBe(example.finishState ?? "success");
}

describe("every task of the library", () => {
  const rows = computed.flatMap((task) =>
    task.examples.map((example, index) => ({ title: `${task.name} ${index + 1}`, task, example })),
  );

  it.each(rows)("$title does what its example says", ({ task, example }) => expectExample(task, example));

  it.each(taskLibrary.map((task) => [task.name, task] as const))(
    "%s has at least three examples, two of what it gives and one of an error",
    (name, { examples }) => {
      const errors = examples.filter(({ error, finishState }) => error !== undefined || finishState === "error");
      expect(examples.length).toBeGreaterThanOrEqual(3);
      expect(examples.length - errors.length).toBeGreaterThanOrEqual(2);
      // Every value is an array or is none.
      expect(errors.length).toBeGreaterThanOrEqual(name === "isArray" ? 0 : 1);
    },
  );

  it("names its arguments and results as its examples do", () => {
    for (const task of taskLibrary) {
      const names = new Set(task.incoming.map(({ name }) => name));
      const results = new Set(task.outgoing.map(({ name }) => name));
      for (const example of task.examples) {
        expect(Object.keys(example.incoming).filter((name) => !names.has(name))).toEqual([]);
        if (task.name !== "transformation") {
          expect(Object.keys(example.outgoing ?? {}).filter((name) => !results.has(name))).toEqual([]);
        }
      }
    }
  });

  const typed = computed.flatMap((task) =>
    task.incoming
      .filter(({ schema }) => "type" in schema || "anyOf" in schema)
      .map(({ name }) => ({ title: `${task.name}.${name}`, name, task })),
  );

  it.each(typed)("$title refuses a value of the wrong type and names itself", ({ task, name }) => {
    const example = task.examples.find(({ error }) => error === undefined);
    const isList = task.incoming.some((argument) => argument.name === name && argument.schema.type === "array");
    const incoming = { ...example?.incoming, [name]: isList ? { length: 0 } : [() => "no JSON at all"] };
    const run = () => task.run?.(incoming, context);
    expect(run).toThrow(new RegExp(`^Schema validation failed on ${name}: expected .+, got .+`, "u"));
  });

  it("takes empty text, null and nothing for an optional argument alike", () => {
    for (const task of computed) {
      const example = task.examples.find(({ error }) => error === undefined);
      for (const { name } of task.incoming.filter(({ isOptional }) => isOptional === true)) {
        if (task.name === "join") continue;
        const outcomes = ["", null, undefined].map((value) =>
          task.run?.({ ...example?.incoming, [name]: value }, context),
        );
        expect(outcomes[1]).toEqual(outcomes[0]);
        expect(outcomes[2]).toEqual(outcomes[0]);
      }
    }
  });
});
