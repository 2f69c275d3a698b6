import { assertionError } from "../errors.ts";
import type { BlockBody, CompiledTemplate } from "../runtime/compiled-template.ts";
import type { Definition } from "../runtime/runtime.ts";
import { TemplateBlocks, superOf } from "../runtime/template-objects.ts";
import type { Block, Statement } from "../syntax/syntax-tree.ts";
import { analyse } from "./analyse.ts";
import { compileBody } from "./compile-body.ts";
import type { Frame, TemplateState } from "./frame.ts";
import { compileEnter, rootScope } from "./scope.ts";
import { Symbols } from "./symbols.ts";
import { allStatements, namesNeeded } from "./walk.ts";

/** What a template may use. */
export interface Library {
  filters: ReadonlyMap<string, Definition>;
  tests: ReadonlyMap<string, Definition>;
}

/** Makes a template ready to run. TemplateSyntaxError or TemplateAssertionError for what cannot work. */
export function compileTemplate(
  statements: readonly Statement[],
  name: string | undefined,
  library: Library,
): CompiledTemplate {
  const all = [...allStatements(statements)];
  const hasScopedBlocks = all.some((statement) => statement.type === "block" && statement.isScoped);
  const state: TemplateState = { name, ...library, hasScopedBlocks, extendsCount: 0, hasKnownExtends: false };
  const blockStatements = blocksByName(all);
  const frame = newFrame(
    state,
    all.some(({ type }) => type === "extends"),
  );
  const selfSlot = declareNeeded(frame, statements, "self");
  analyse(frame.symbols, statements);
  const body = compileBody(statements, { ...frame, isTop: true, isRoot: true });
  const enter = compileEnter(frame.symbols);
  const blocks = new Map([...blockStatements].map(([blockName, block]) => [blockName, compileBlockBody(block, state)]));
  return {
    name,
    blocks,
    root(context, output) {
      const scope = rootScope(context);
      if (selfSlot !== undefined) scope.slots[selfSlot] = new TemplateBlocks(context);
      enter(scope);
      body(scope, output);
      const { parent } = scope.root;
      if (parent) context.rendering.budget.inCall(() => parent.root(context, output));
    },
  };
}

function blocksByName(all: readonly Statement[]): Map<string, Block> {
  const blocks = new Map<string, Block>();
  for (const statement of all) {
    if (statement.type !== "block") continue;
    if (blocks.has(statement.name)) throw assertionError(`block '${statement.name}' defined twice`, statement.line);
    blocks.set(statement.name, statement);
  }
  return blocks;
}

function newFrame(state: TemplateState, checksOutput: boolean): Frame {
  const symbols = new Symbols(undefined);
  return { state, symbols, isTop: false, isRoot: false, isConditional: false, checksOutput };
}

function declareNeeded(frame: Frame, statements: readonly Statement[], name: string): number | undefined {
  if (!namesNeeded(statements, [name]).has(name)) return undefined;
  frame.symbols.declare(name);
  return frame.symbols.slotOf(name);
}

function compileBlockBody({ name, body }: Block, state: TemplateState): BlockBody {
  const frame = newFrame(state, false);
  const selfSlot = declareNeeded(frame, body, "self");
  const superSlot = declareNeeded(frame, body, "super");
  analyse(frame.symbols, body);
  const [run, enter] = [compileBody(body, frame), compileEnter(frame.symbols)];
  const blockBody: BlockBody = (context, output) => {
    const scope = rootScope(context);
    if (selfSlot !== undefined) scope.slots[selfSlot] = new TemplateBlocks(context);
    if (superSlot !== undefined) scope.slots[superSlot] = superOf(context, name, blockBody);
    enter(scope);
    run(scope, output);
  };
  return blockBody;
}
