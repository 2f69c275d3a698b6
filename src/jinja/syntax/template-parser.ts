import { syntaxError } from "../errors.ts";
import type { Budget } from "../limits.ts";
import { tokenize, type LexerOptions } from "./lexer.ts";
import { parseExpression } from "./parse-expression.ts";
import { parseTuple } from "./parse-primary.ts";
import { statementReaders, type StatementContext } from "./statement-readers.ts";
import type { OutputPart, Statement } from "./syntax-tree.ts";
import { TokenStream } from "./token-stream.ts";

/** Reads a template. TemplateSyntaxError with the line when it is not one, LimitError when that goes over the budget. */
export function parseTemplate(source: string, options: LexerOptions, budget: Budget): readonly Statement[] {
  return new TemplateParser(new TokenStream(tokenize(source, options, budget), budget.limits.nesting)).run();
}

class TemplateParser implements StatementContext {
  readonly stream: TokenStream;
  readonly #openTags: string[] = [];
  readonly #endTags: (readonly string[])[] = [];

  constructor(stream: TokenStream) {
    this.stream = stream;
  }

  run(): readonly Statement[] {
    return this.#statements(undefined);
  }

  bodyUntil(...tags: readonly string[]): readonly Statement[] {
    this.stream.skip(":");
    this.stream.expect("block_end");
    this.#endTags.push(tags);
    const body = this.stream.inside(() => this.#statements(tags));
    if (this.stream.is("eof")) throw this.#unexpectedTag(undefined);
    this.#endTags.pop();
    return body;
  }

  bodyThrough(tag: string): readonly Statement[] {
    const body = this.bodyUntil(tag);
    this.stream.next();
    return body;
  }

  #statements(endTags: readonly string[] | undefined): Statement[] {
    const { stream } = this;
    const statements: Statement[] = [];
    let parts: { line: number; part: OutputPart }[] = [];
    const flush = (): void => {
      const [first] = parts;
      if (first) statements.push({ type: "output", line: first.line, parts });
      parts = [];
    };
    while (!stream.is("eof")) {
      const token = stream.next();
      if (token.kind === "data") parts.push({ line: token.line, part: token.text });
      else if (token.kind === "variable_begin") {
        parts.push({ line: token.line, part: parseTuple(stream, parseExpression) });
        stream.expect("variable_end");
      } else {
        flush();
        if (endTags && stream.isOneOf(endTags)) return statements;
        statements.push(this.#statement());
        stream.expect("block_end");
      }
    }
    flush();
    return statements;
  }

  #statement(): Statement {
    const token = this.stream.current;
    if (token.kind !== "name") throw syntaxError("tag name expected", token.line);
    const read = statementReaders.get(token.text);
    if (!read) throw this.#unexpectedTag(token.text);
    this.stream.next();
    this.#openTags.push(token.text);
    const statement = read(this, token.line);
    this.#openTags.pop();
    return statement;
  }

  #unexpectedTag(tag: string | undefined): Error {
    const message = [tag === undefined ? "Unexpected end of template." : `Encountered unknown tag '${tag}'.`];
    const searched = this.#endTags
      .at(-1)
      ?.map((name) => `'${name}'`)
      .join(" or ");
    if (searched !== undefined) {
      const isMisplaced = tag !== undefined && this.#endTags.some((tags) => tags.includes(tag));
      message.push(
        isMisplaced
          ? `You probably made a nesting mistake. Jinja is expecting this tag, but currently looking for ${searched}.`
          : `Jinja was looking for the following tags: ${searched}.`,
      );
    }
    const innermost = this.#openTags.at(-1);
    if (innermost !== undefined) message.push(`The innermost block that needs to be closed is '${innermost}'.`);
    return syntaxError(message.join(" "), this.stream.current.line);
  }
}
