import type { CompiledTemplate } from "./runtime/compiled-template.ts";
import type { LexerOptions } from "./syntax/lexer.ts";

/** What a template was made of. */
export interface TemplateKey {
  source: string;
  name: string | undefined;
  options: LexerOptions;
}

/** Keeps templates that are ready to run; those not asked for the longest go first. */
export interface TemplateCache {
  get(key: TemplateKey, compile: () => CompiledTemplate): CompiledTemplate;
}

/** A cache of at most so many characters of templates. */
export function createTemplateCache(mostCharacters: number): TemplateCache {
  // The same text under several names or options is several templates.
  const kept = new Map<string, Map<string, CompiledTemplate>>();
  let characters = 0;
  const dropOldest = (): void => {
    for (const [source, variants] of kept) {
      if (characters <= mostCharacters) return;
      kept.delete(source);
      for (const variant of variants.keys()) characters -= source.length + variant.length;
    }
  };
  return {
    get(key, compile) {
      const { source } = key;
      const variant = variantOf(key);
      const variants = kept.get(source) ?? new Map<string, CompiledTemplate>();
      const found = variants.get(variant);
      const template = found ?? compile();
      kept.delete(source);
      kept.set(source, variants);
      if (found) return found;
      variants.set(variant, template);
      characters += source.length + variant.length;
      dropOldest();
      return template;
    },
  };
}

function variantOf({ name, options }: TemplateKey): string {
  const { trimBlocks = false, lstripBlocks = false, keepTrailingNewline = false } = options;
  const flags = Number(trimBlocks) + 2 * Number(lstripBlocks) + 4 * Number(keepTrailingNewline);
  return name === undefined ? `${flags}` : `${flags} ${name}`;
}
