import { describe, expect, it } from "vitest";
import { createTaskCatalog, taskLibrary } from "../../../src/task-library/index.ts";

describe("the catalog of tasks", () => {
  const catalog = createTaskCatalog(taskLibrary);

  it("dispatches on the name, not on the label of the canvas", () => {
    expect(catalog.find("push", "push")?.type).toBe("operation");
    expect(catalog.find("arrayPush", "push")?.displayName).toBe("Array");
    expect(catalog.find("pop")?.run).toBeUndefined();
    expect(catalog.find("arrayPop")?.run).toBeDefined();
  });

  it("falls back to the label where people have edited the name", () => {
    expect(catalog.find("Result Array", "newVariable")?.name).toBe("newVariable");
    expect(catalog.find("My concat", "localeCompare")?.name).toBe("localeCompare");
    expect(catalog.find("Make upper", "valueOf")?.name).toBe("stringValueOf");
  });

  it("does not guess between tasks of the same label", () => {
    expect(catalog.find("Edited", "toString")).toBeUndefined();
    expect(catalog.find("Edited", "concat")).toBeUndefined();
  });

  it("knows no task by the name of a prototype's member", () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", ""])
      expect(catalog.find(name)).toBeUndefined();
  });

  it("refuses a library with two tasks of one name", () => {
    expect(() => createTaskCatalog([...taskLibrary, ...taskLibrary.slice(0, 1)])).toThrow(/same name/u);
  });

  it("gives every task one application, a summary and unique argument names", () => {
    for (const task of taskLibrary) {
      expect(task.app).toBe("WorkFlowEngine");
      expect(task.summary).not.toBe("");
      expect(new Set(task.incoming.map(({ name }) => name)).size).toBe(task.incoming.length);
      expect(task.view === undefined).toBe(task.type !== "manual");
    }
  });
});
