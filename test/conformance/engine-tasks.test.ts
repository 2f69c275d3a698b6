import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { taskLibrary } from "../../src/task-library/index.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

/** The tasks without a route that the product description lists, by its headings. */
const described: Readonly<Record<string, string>> = {
  Time: "addDuration calculateTimeDiff convertEpochToObject convertTimeFormat convertTimeToEpoch convertTimezone extractField getTime",
  Array:
    "arrayConcat arrayIncludes arrayIndexOf arrayLastIndexOf arrayLength arrayPop arrayPush arrayShift arraySlice arrayToLocaleString arrayToString copyWithin fill isArray join reverse unshift",
  "Job-variable array": "pop push shift",
  "Object and data":
    "assign keys values objectHasOwnProperty objectToString parse setObjectKey deepmerge merge modify FlattenJSONFormInput makeData map sort transformation validateJsonSchema",
  String:
    "asciiToBase64 base64ToAscii csvStringToJson excelToJson charAt charCodeAt codePointAt endsWith localeCompare match normalize numberToString padEnd padStart parseInt repeat replace search split startsWith stringConcat stringIncludes stringIndexOf stringLastIndexOf stringLength stringSlice stringValueOf substring toLocaleLowerCase toLocaleUpperCase toLowerCase toUpperCase trim trimEnd trimStart",
  "Flow and job":
    "childJob decision delay evaluation eventListenerJob forEach newVariable restCall stub updateJobDescription",
};
const names = Object.values(described).flatMap((line) => line.split(" "));

describe("the 89 engine tasks of the product description", () => {
  it("are 89", () => expect(new Set(names).size).toBe(89));

  it.each(names)("%s is in the library", (name) => {
    const found = taskLibrary.filter((task) => task.name === name);
    expect(found).toHaveLength(1);
  });

  it("are all there is beside query and the manual tasks", () => {
    const others = taskLibrary.filter(({ name, type }) => type !== "manual" && !names.includes(name));
    expect(others.map(({ name }) => name)).toEqual(["query"]);
  });
});

describe("details of the engine tasks", () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform();
  });
  afterAll(() => platform.stop());

  it.each(names)("of %s are the same at every path", async (name) => {
    const task = taskLibrary.find((one) => one.name === name);
    const address = `locations/Application/packages/WorkFlowEngine/tasks/${name}`;
    const older = await platform.send(`GET`, `/workflow_engine/${address}`);
    expect(older).toMatchObject({ name, app: "WorkFlowEngine", type: task?.type, displayName: task?.displayName });
    const { incoming, outgoing } = (older as { variables: Record<"incoming" | "outgoing", object> }).variables;
    expect(Object.keys(incoming)).toEqual(task?.incoming.map((argument) => argument.name));
    expect(Object.keys(outgoing)).toEqual(task?.outgoing.map((variable) => variable.name));
    expect(await platform.send("GET", `/automation-studio/${address}`)).toEqual(older);
    expect(await platform.send("GET", `/workflow_builder/getTaskDetails/WorkFlowEngine/${name}`)).toEqual(older);
  });
});
