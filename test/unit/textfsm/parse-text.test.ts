import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/textfsm/index.ts";
import cases from "./cases.json" with { type: "json" };

const interfaces = `# What "show interfaces" tells.
Value Required INTERFACE (\\S+)
Value STATUS (up|down|administratively down)
Value List ADDRESSES (\\d+\\.\\d+\\.\\d+\\.\\d+/\\d+)
Value MTU (\\d+)

Start
  ^\\S+ is .* line protocol -> Continue.Record
  ^\${INTERFACE} is \${STATUS}, line protocol
  ^\\s+Internet address is \${ADDRESSES}
  ^\\s+Secondary address \${ADDRESSES}
  ^\\s+MTU \${MTU} bytes
  ^% -> Error "the device refused"
`;

const output = `GigabitEthernet0/0 is up, line protocol is up
  Internet address is 10.0.0.1/24
  Secondary address 10.0.1.1/24
  MTU 1500 bytes
GigabitEthernet0/1 is administratively down, line protocol is down
  MTU 9000 bytes
`;

describe("a TextFSM template", () => {
  it("reads records out of the output of a device", () => {
    expect(parseText({ template: interfaces, text: output })).toEqual({
      records: [
        { INTERFACE: "GigabitEthernet0/0", STATUS: "up", ADDRESSES: ["10.0.0.1/24", "10.0.1.1/24"], MTU: "1500" },
        { INTERFACE: "GigabitEthernet0/1", STATUS: "administratively down", ADDRESSES: [], MTU: "9000" },
      ],
    });
  });

  // Templates and texts made at random, with what the Python implementation says: see make_cases.py.
  it.each(cases.map((one, index) => [index, one] as const))("reads case %i as the original does", (_index, one) => {
    const answer = parseText(one);
    if (one.records === null) expect(answer).toHaveProperty("problem");
    else expect(answer).toEqual({ records: one.records });
  });

  it("names the parts of list elements that have names", () => {
    const template = "Value List PAIR ((?P<key>\\w+)=(?P<value>\\w+))\n\nStart\n  ^${PAIR}\n";
    expect(parseText({ template, text: "a=1\nb=2" })).toEqual({
      records: [
        {
          PAIR: [
            { key: "a", value: "1" },
            { key: "b", value: "2" },
          ],
        },
      ],
    });
  });

  it("reads nothing out of nothing", () => {
    expect(parseText({ template: interfaces, text: "" })).toEqual({ records: [] });
  });

  it.each([
    ["Start\n  ^x\n", "Line 1: no values are declared"],
    ["Value A (x)\n", "there is no state Start"],
    ["Value A\n\nStart\n", "Line 1: a value has a name and a pattern"],
    ["Value Loud A (x)\n\nStart\n", 'Line 1: unknown option "Loud"'],
    ["Value Key,Key A (x)\n\nStart\n", 'Line 1: option "Key" twice'],
    ["Value A (x\n\nStart\n", "Line 1: the pattern of A must be in brackets"],
    ["Value A (x))\n\nStart\n", "Line 1: bad pattern"],
    ["Value A (x)\nValue A (y)\n\nStart\n", "Line 2: value A is declared twice"],
    ["Value A (x)\nStart\n", "Line 2: an empty line must follow the values"],
    ["Value A (x)\n\nStart\n\nStart\n", "Line 5: state Start is there twice"],
    ["Value A (x)\n\nStart\n^x\n", "Line 4: a rule begins with"],
    ["Value A (x)\n\nStart\n  ^x$\n", "Line 4: a single $"],
    ["Value A (x)\n\nStart\n  ^${B}\n", 'Line 4: there is no value "B"'],
    ["Value A (x)\n\nStart\n  ^x -> Never\n", "Line 4: there is no state Never"],
    ["Value A (x)\n\nStart\n  ^x -> Next.Later\n", "is no action"],
    ["Value A (x)\n\nStart\n  ^x -> Continue End\n", "Line 4: Continue cannot go to a state: End"],
    ["Value A (x)\n\nStart\n\nEOF\n  ^x\n", "Line 6: state EOF has rules"],
    ["Value A (x++)\n\nStart\n", "possessive quantifiers are not supported"],
    ["Value A (\\q)\n\nStart\n", "bad escape \\q"],
    ["Value A ([b-a])\n\nStart\n", "bad character range"],
    ["Value A ((?i:x))\n\nStart\n", "are not supported"],
    ["Value A (x)\n\nStart\n  ^${A} -> Error\n", "Line 4: the template ends in error"],
  ])("%j is refused with what is wrong", (template, problem) => {
    const answer = parseText({ template, text: "x" });
    expect("problem" in answer ? answer.problem : answer).toContain(problem);
  });
});
