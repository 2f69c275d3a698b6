import { describe, expect, it } from "vitest";
import { block, html, textOf } from "../../../src/core/html.ts";

describe("markup", () => {
  it("escapes every text put into it, in attributes too", () => {
    const text = `<a href="x" title='y'>&`;
    expect(html`<p title="${text}">${text}</p>`.text).toBe(
      '<p title="&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;">&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;</p>',
    );
  });

  it("takes other markup, lists of it, numbers and nothing", () => {
    const items = [1, 2].map((item) => html`<i>${item}</i>`);
    expect(html`<p>${items}${undefined}${html`<b>${"<"}</b>`}</p>`.text).toBe("<p><i>1</i><i>2</i><b>&lt;</b></p>");
  });

  it("shows what is no text as JSON, nothing as nothing, and cuts what is too long", () => {
    expect([textOf(null), textOf(undefined), textOf("a"), textOf(0)]).toEqual(["", "", "a", "0"]);
    expect(textOf({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(block("").text).toBe("");
    expect(block("x".repeat(1_000_001)).text).toContain("Cut after 1000000 of 1000001 characters.");
  });
});
