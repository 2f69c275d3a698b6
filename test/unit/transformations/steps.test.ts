import { describe, expect, test } from "vitest";
import { assign, method, run, transformation } from "./document-builder.ts";

describe("arguments", () => {
  test("a wire overrides a static value, and a wired null is a real null", () => {
    const document = transformation({
      incoming: ["text"],
      outgoing: ["result"],
      steps: [method(1, "Number.parseInt", ["12", 10]), assign("in.text", "1:0"), assign("1", "out.result")],
    });
    expect(run(document, { text: null })).toEqual({ result: NaN });
    expect(run(document, { text: "7" })).toEqual({ result: 7 });
  });

  test("a static null is not given", () => {
    const steps = [method(1, "String.split", [null, ".", null]), assign("in.text", "1:0"), assign("1", "out.result")];
    expect(run(transformation({ incoming: ["text"], outgoing: ["result"], steps }), { text: "a.b" })).toEqual({
      result: ["a", "b"],
    });
  });

  test("steps may stand in any order", () => {
    const document = transformation({
      incoming: ["n"],
      outgoing: ["result"],
      steps: [
        assign("3", "out.result"),
        method(3, "Math.add", [null, 1]),
        assign("2", "3:0"),
        assign("in.n", "2:0"),
        method(2, "Math.multiply", [null, 10]),
      ],
    });
    expect(run(document, { n: 4 })).toEqual({ result: 41 });
  });

  test("pointers reach into values, and through nothing without an error", () => {
    const document = transformation({
      incoming: ["device"],
      outgoing: ["name", "first", "missing", "popped"],
      steps: [
        assign("in.device/site name/a~1b", "out.name"),
        assign("in.device/ports/0", "out.first"),
        assign("in.device/none/deeper/still", "out.missing"),
        method(1, "Array.pop"),
        assign("in.device/ports", "1:0"),
        assign("1/value", "out.popped"),
      ],
    });
    const device = { "site name": { "a/b": "here" }, ports: ["eth0", "eth1"] };
    expect(run(document, { device })).toEqual({ name: "here", first: "eth0", missing: undefined, popped: "eth1" });
  });

  test("no step changes what another sees, nor the incoming value, nor the document", () => {
    const literal = ["c"];
    const document = transformation({
      incoming: ["list"],
      outgoing: ["pushed", "reversed", "same", "constant"],
      steps: [
        method(1, "Array.push", [null, "x"]),
        method(2, "Array.reverse"),
        method(3, "Array.concat", [literal]),
        assign("in.list", "1:0"),
        assign("in.list", "2:0"),
        assign("1", "out.pushed"),
        assign("2", "out.reversed"),
        assign("in.list", "out.same"),
        assign("3", "out.constant"),
      ],
    });
    const list = [{ a: 1 }, "b"];
    const outgoing = run(document, { list }) as Record<string, unknown[]>;
    expect(outgoing).toEqual({
      pushed: [{ a: 1 }, "b", "x"],
      reversed: ["b", { a: 1 }],
      same: [{ a: 1 }, "b"],
      constant: ["c"],
    });
    for (const value of Object.values(outgoing)) value.push("changed afterwards");
    Object.assign(outgoing["same"]?.[0] as object, { a: 2 });
    expect(list).toEqual([{ a: 1 }, "b"]);
    expect(literal).toEqual(["c"]);
    expect(outgoing["pushed"]?.[0]).toEqual({ a: 1 });
  });
});

describe("template steps", () => {
  const document = transformation({
    incoming: ["first", "second"],
    outgoing: ["text"],
    steps: [
      {
        id: 1,
        type: "template",
        library: "String",
        method: "templateLiteral",
        template: "$in ${ a b } ${other}/${a b}${other} $",
        args: [null, null],
      },
      assign("in.first", "1:0"),
      assign("in.second", "1:1"),
      assign("1", "out.text"),
    ],
  });

  test("distinct names take the arguments in order and may repeat", () => {
    expect(run(document, { first: "x", second: 5 })).toEqual({ text: "$in x 5/x5 $" });
  });

  test("values are written as text, and not expanded again", () => {
    expect(run(document, { first: "${other}", second: true })).toEqual({ text: "$in ${other} true/${other}true $" });
    expect(run(document, { first: [1, [2]], second: { a: 1 } })).toEqual({
      text: "$in 1,2 [object Object]/1,2[object Object] $",
    });
    expect(run(document, { first: null })).toEqual({ text: "$in null undefined/nullundefined $" });
  });
});
