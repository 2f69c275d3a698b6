import type { RegularExpression } from "../transformation-environment.ts";

/** What the methods of the libraries may use. */
export interface MethodContext {
  /** Time at which the run began, milliseconds since the epoch. */
  readonly startedAt: number;
  random(): number;
  /** Minutes that local time is ahead of UTC at this time. */
  zone(at: number): number;
  query(query: string, value: unknown): { found: boolean; value: unknown };
  regularExpression(source: string, flags: string): RegularExpression;
  /** Accounts for so many elements read or copied; ends the run when that was too much. */
  charge(cells: number): void;
}

/** A function of the document, as the methods call it: with the values of its first incoming slots. */
export type Callback = (values: readonly unknown[]) => unknown;

/** One method: its signature for the reference, and what it does. Values are never changed in place. */
export interface LibraryMethod {
  library: string;
  method: string;
  type: "method" | "declaration";
  /** Names in order; `?` marks an optional one, `...` any number of them. */
  arguments: readonly string[];
  /** What is found at `/return`. */
  returns: string;
  /** Argument 1 is the id of a function; constants for it begin at this argument. */
  constantsFrom?: number;
  /** Form of a declaration that this `polymorphIndex` selects; absent: any other. */
  polymorphIndex?: number;
  /** Arguments may be failed values: the method itself decides which of them count. */
  isLazy?: boolean;
  /** Throws where the JavaScript namesake throws. Arguments that are not given are undefined. */
  run(args: readonly unknown[], context: MethodContext): unknown;
}

/** A method as its library lists it. */
export type MethodBody = Omit<LibraryMethod, "library" | "method" | "type">;

/** The methods of one library. Names that begin with `new ` are declarations; `#<n>` at the end keeps their forms apart. */
export function describeLibrary(library: string, methods: Readonly<Record<string, MethodBody>>): LibraryMethod[] {
  return Object.entries(methods).map(([name, body]) => {
    const type = name.startsWith("new ") ? "declaration" : "method";
    return { library, method: name.replace(/#\d+$/u, ""), type, ...body };
  });
}
