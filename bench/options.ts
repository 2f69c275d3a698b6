/** What the command line asks for. */
export interface Options {
  /** Benchmarks to run, in order. */
  names: string[];
  /** How long each load lasts. */
  seconds: number;
  /** Numbers of clients. */
  clients: number[];
  /** Stored jobs of `scale`. */
  jobs: number;
  /** Waiting jobs of `waiting`. */
  waiting: number;
  /** Elements of the loops of `large`. */
  elements: number;
  /** Where Linewright keeps its data. */
  stores: StoreKind[];
  /** Only these peers; undefined: all. */
  peers: string[] | undefined;
}

export type StoreKind = "sqlite" | "postgres";

const defaults = {
  seconds: "3",
  clients: "1,16,64",
  jobs: "100000",
  waiting: "100000",
  elements: "100000",
  stores: "sqlite,postgres",
  peers: "",
};
type Flag = keyof typeof defaults;

/** The benchmarks there are: those of `all`, and those only run by name. */
export interface KnownBenchmarks {
  all: readonly string[];
  single: readonly string[];
}

/** Reads the command line; throws for what it does not know. No name means all. */
export function readOptions(args: readonly string[], { all, single }: KnownBenchmarks): Options {
  const known = [...all, ...single];
  const values = { ...defaults };
  const names: string[] = [];
  for (let place = 0; place < args.length; place++) {
    const word = args[place] ?? "";
    if (word.startsWith("--")) {
      values[flagOf(word)] = args[++place] ?? "";
    } else if (word === "all" || known.includes(word)) {
      names.push(...(word === "all" ? all : [word]));
    } else throw new Error(`no benchmark ${word}; there are ${known.join(", ")}, or all`);
  }
  return {
    names: names.length > 0 ? names : [...all],
    seconds: Number(values.seconds),
    clients: values.clients.split(",").map(Number),
    jobs: Number(values.jobs),
    waiting: Number(values.waiting),
    elements: Number(values.elements),
    stores: values.stores.split(",").map(storeKind),
    peers: values.peers === "" ? undefined : values.peers.split(","),
  };
}

function flagOf(word: string): Flag {
  const name = word.slice(2);
  if (!Object.hasOwn(defaults, name))
    throw new Error(`no option ${word}; there are --${Object.keys(defaults).join(", --")}`);
  return name as Flag;
}

function storeKind(name: string): StoreKind {
  if (name === "sqlite" || name === "postgres") return name;
  throw new Error(`no store ${name}; there are sqlite and postgres`);
}
