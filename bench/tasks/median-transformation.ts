import { assign, method, transformation } from "../../test/unit/transformations/document-builder.ts";

/**
 * A document of the size that documents of the field have in the middle: ten steps, seven of them wires. It makes a text
 * of a member of an object, and answers it with whether the text matches.
 */
export const medianTransformation = transformation({
  incoming: ["device", "name"],
  outgoing: ["entry"],
  steps: [
    method(1, "Object.getProperty"),
    method(2, "String.concat", ["interface "]),
    method(3, "Object.setProperty", [null, "description"]),
    assign("in.device", "1:0"),
    assign("in.name", "1:1"),
    assign("1", "2:1"),
    assign("in.device", "3:0"),
    assign("2", "3:2"),
    assign("3", "out.entry"),
    assign("in.name", "out.entry/name"),
  ],
});

/** Values for it. */
export const medianValues = { device: { port: "Gi0/1", vlan: 10, tags: ["access", "floor-2"] }, name: "port" };
