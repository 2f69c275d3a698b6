import { TaskError } from "../../core/task.ts";
import { accepted, type Instruction } from "./regular-expression-machine.ts";
import { characterTest, type CharacterTest, type Pattern, type PatternNode } from "./regular-expression-syntax.ts";

const longestProgram = 50_000;

/** What a machine runs for one pattern. */
export interface Program {
  instructions: readonly Instruction[];
  registerCount: number;
}

/** Translates a pattern into instructions. Repetitions are written out; over the limit: TaskError. */
export function compileProgram(pattern: Pattern, flags: string): Program {
  const compiler = new ProgramCompiler(pattern, flags);
  compiler.emitPattern(pattern.body);
  return { instructions: compiler.instructions, registerCount: compiler.registerCount };
}

type RepeatNode = Extract<PatternNode, { node: "repeat" }>;
type LookNode = Extract<PatternNode, { node: "look" }>;

class ProgramCompiler {
  readonly instructions: Instruction[] = [];
  registerCount: number;
  readonly #isUnicode: boolean;
  readonly #isMultiline: boolean;
  readonly #ignoresCase: boolean;
  readonly #isWord: CharacterTest;

  constructor(pattern: Pattern, flags: string) {
    this.registerCount = 2 * (pattern.groupCount + 1);
    this.#isUnicode = flags.includes("u");
    this.#isMultiline = flags.includes("m");
    this.#ignoresCase = flags.includes("i");
    this.#isWord = characterTest("\\w", flags);
  }

  emitPattern(body: PatternNode): void {
    this.#group({ node: "group", index: 0, body }, false);
    this.#accept();
  }

  /** Emits a node; inside a lookbehind everything runs from right to left. */
  #emit(node: PatternNode, isBack: boolean): void {
    switch (node.node) {
      case "sequence":
        for (const part of isBack ? node.parts.toReversed() : node.parts) this.#emit(part, isBack);
        return;
      case "choice":
        return this.#choice(node.parts, isBack);
      case "character":
        return this.#add(this.#step(node.test, isBack));
      case "group":
        return this.#group(node, isBack);
      case "look":
        return this.#look(node);
      case "repeat":
        return this.#repeat(node, isBack);
      case "back":
        return this.#add(this.#backReference(node.index, isBack));
      default:
        return this.#add(this.#assertion(node.node));
    }
  }

  #add(instruction: Instruction): void {
    if (this.instructions.length >= longestProgram) throw new TaskError("The regular expression repeats too much");
    this.instructions.push(instruction);
  }

  /** Adds an instruction that is only known once what follows it is emitted. */
  #reserve(): (instruction: Instruction) => void {
    const at = this.instructions.length;
    this.#add(() => false);
    return (instruction) => void (this.instructions[at] = instruction);
  }

  get #next(): number {
    return this.instructions.length;
  }

  #accept(): void {
    this.#add((machine) => {
      machine.pc = accepted;
      return true;
    });
  }

  #choice(parts: readonly PatternNode[], isBack: boolean): void {
    const exits: ((instruction: Instruction) => void)[] = [];
    parts.forEach((part, index) => {
      const isLast = index === parts.length - 1;
      const split = isLast ? undefined : this.#reserve();
      this.#emit(part, isBack);
      if (!isLast) exits.push(this.#reserve());
      split?.(choose(this.#next));
    });
    for (const exit of exits) exit(jump(this.#next));
  }

  #group(node: { node: "group"; index: number; body: PatternNode }, isBack: boolean): void {
    const first = 2 * node.index;
    this.#add(save(isBack ? first + 1 : first));
    this.#emit(node.body, isBack);
    this.#add(save(isBack ? first : first + 1));
  }

  #look(node: LookNode): void {
    const start = this.#reserve();
    const bodyAt = this.#next;
    this.#emit(node.body, node.isBehind);
    this.#accept();
    const after = this.#next;
    start((machine) => {
      const { position, mark } = machine;
      const isMatch = machine.run(bodyAt, position);
      if (isMatch && node.isNegated) machine.unwind(mark);
      else if (isMatch) machine.commit(mark);
      machine.position = position;
      machine.pc = after;
      return isMatch !== node.isNegated;
    });
  }

  #repeat(node: RepeatNode, isBack: boolean): void {
    for (let count = 0; count < node.min; count++) this.#iteration(node, isBack, undefined);
    if (node.body.node === "character" && node.max === Infinity && !node.isLazy && !isBack && !this.#isUnicode) {
      return this.#add(greedyRun(node.body.test));
    }
    const loop = this.registerCount++;
    if (node.max === Infinity) return this.#endless(node, isBack, loop);
    const exits: ((instruction: Instruction) => void)[] = [];
    for (let count = node.min; count < node.max; count++) {
      exits.push(this.#reserve());
      this.#iteration(node, isBack, loop);
    }
    const after = this.#next;
    for (const exit of exits) exit(node.isLazy ? leave(after) : choose(after));
  }

  #endless(node: RepeatNode, isBack: boolean, loop: number): void {
    const loopAt = this.#next;
    const enter = this.#reserve();
    this.#iteration(node, isBack, loop);
    this.#add(jump(loopAt));
    enter(node.isLazy ? leave(this.#next) : choose(this.#next));
  }

  /** One pass through the body: its groups begin empty, and an optional pass must not match nothing. */
  #iteration(node: RepeatNode, isBack: boolean, loop: number | undefined): void {
    const isCharacter = node.body.node === "character";
    if (loop !== undefined && !isCharacter) this.#add(save(loop));
    if (node.groups[0] <= node.groups[1]) this.#add(clearGroups(...node.groups));
    this.#emit(node.body, isBack);
    if (loop !== undefined && !isCharacter) this.#add(hasMoved(loop));
  }

  #step(test: CharacterTest, isBack: boolean): Instruction {
    const read = this.#isUnicode ? readPoint : readUnit;
    return (machine) => {
      const character = read(machine.text, machine.position, isBack);
      if (character === "" || !test(character)) return false;
      machine.position += isBack ? -character.length : character.length;
      machine.pc++;
      return true;
    };
  }

  #assertion(kind: "start" | "end" | "boundary" | "inside"): Instruction {
    const holds = this.#assertionTest(kind);
    return (machine) => {
      machine.pc++;
      return holds(machine.text, machine.position);
    };
  }

  #assertionTest(kind: "start" | "end" | "boundary" | "inside"): (text: string, position: number) => boolean {
    const isMultiline = this.#isMultiline;
    if (kind === "start") return (text, at) => at === 0 || (isMultiline && isLineEnd(text[at - 1]));
    if (kind === "end") return (text, at) => at === text.length || (isMultiline && isLineEnd(text[at]));
    const isWord = (character: string | undefined) => character !== undefined && this.#isWord(character);
    return (text, at) => (isWord(text[at - 1]) !== isWord(text[at])) === (kind === "boundary");
  }

  #backReference(index: number, isBack: boolean): Instruction {
    const fold = this.#ignoresCase ? (text: string) => text.toUpperCase().toLowerCase() : (text: string) => text;
    return (machine) => {
      machine.pc++;
      const start = machine.registers[2 * index] ?? -1;
      const end = machine.registers[2 * index + 1] ?? -1;
      if (start < 0 || end < 0) return true;
      const length = end - start;
      const from = isBack ? machine.position - length : machine.position;
      machine.spend(length);
      if (from < 0 || fold(machine.text.slice(from, from + length)) !== fold(machine.text.slice(start, end)))
        return false;
      machine.position = isBack ? from : from + length;
      return true;
    };
  }
}

function jump(pc: number): Instruction {
  return (machine) => {
    machine.pc = pc;
    return true;
  };
}

/** Goes on with the next instruction; `pc` is the choice for later. */
function choose(pc: number): Instruction {
  return (machine) => {
    machine.choose(pc);
    machine.pc++;
    return true;
  };
}

/** Goes on at `pc`; the next instruction is the choice for later. */
function leave(pc: number): Instruction {
  return (machine) => {
    machine.choose(machine.pc + 1);
    machine.pc = pc;
    return true;
  };
}

function save(register: number): Instruction {
  return (machine) => {
    machine.assign(register, machine.position);
    machine.pc++;
    return true;
  };
}

function clearGroups(first: number, last: number): Instruction {
  return (machine) => {
    for (let register = 2 * first; register <= 2 * last + 1; register++) {
      if (machine.registers[register] !== -1) machine.assign(register, -1);
    }
    machine.pc++;
    return true;
  };
}

function hasMoved(loop: number): Instruction {
  return (machine) => {
    machine.pc++;
    return machine.registers[loop] !== machine.position;
  };
}

/** `x*` on single characters: one record instead of one per character. */
function greedyRun(test: CharacterTest): Instruction {
  return (machine) => {
    const { text, position: first } = machine;
    let end = first;
    while (end < text.length && test(text[end] ?? "")) end++;
    machine.spend(end - first);
    machine.position = end;
    machine.pc++;
    machine.chooseDownTo(machine.pc, first);
    return true;
  };
}

function readUnit(text: string, position: number, isBack: boolean): string {
  return text[isBack ? position - 1 : position] ?? "";
}

function readPoint(text: string, position: number, isBack: boolean): string {
  if (!isBack) return position < text.length ? String.fromCodePoint(text.codePointAt(position) ?? 0) : "";
  const pair = text.slice(Math.max(0, position - 2), position);
  return pair.length === 2 && (pair.codePointAt(0) ?? 0) > 0xffff ? pair : pair.slice(-1);
}

function isLineEnd(character: string | undefined): boolean {
  return character === "\n" || character === "\r" || character === "\u2028" || character === "\u2029";
}
