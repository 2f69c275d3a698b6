import { JinjaError } from "./errors.ts";

/** Bounds of one rendering, so that no template can hang or fill the memory. */
export interface RenderLimits {
  /** Statements, operators, calls and elements passed through, and sixteenths of characters produced; what it takes to read a template too. */
  steps: number;
  /** Characters of the rendered text, and of any text on the way. */
  textLength: number;
  /** Elements of one list, range or dict. */
  listLength: number;
  /** Macros, blocks, includes and recursive loops inside each other. */
  callDepth: number;
  /** Lists and dicts inside each other that are printed or compared, and expressions inside each other. */
  nesting: number;
  /** Bits of one integer. */
  integerBits: number;
}

/** What holds when nothing else is said. */
export const defaultLimits: RenderLimits = {
  steps: 10_000_000,
  textLength: 16_000_000,
  listLength: 1_000_000,
  callDepth: 150,
  nesting: 200,
  integerBits: 14_000,
};

/** Measured: to read a token, and to compile what becomes of it, takes as long as so many steps. */
const stepsPerToken = 12;
/** The same of an error, which takes note of where it arose. */
const stepsPerError = 30;

/** What a rendering may still spend. */
export class Budget {
  readonly limits: RenderLimits;
  #steps: number;
  #depth = 0;
  #nesting = 0;

  constructor(limits: RenderLimits) {
    this.limits = limits;
    this.#steps = limits.steps;
  }

  /** So many steps are about to be made. */
  charge(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw limitError(`the template takes more than ${this.limits.steps} steps`);
  }

  /** One more name, literal, operator or tag of a template is read. */
  chargeToken(): void {
    this.charge(stepsPerToken);
  }

  /** An error does not end the rendering. */
  chargeError(): void {
    this.charge(stepsPerError);
  }

  /** A text of this length is about to be made. */
  chargeText(length: number): void {
    this.requireLength(length);
    this.charge(length >> 4);
  }

  /** Every character of a text of this length is about to be looked at by itself. */
  chargeCharacters(length: number): void {
    this.charge(length);
  }

  /** A text of this length is about to be searched, compared or changed as a whole. */
  chargeScan(length: number): void {
    this.charge(length >> 6);
  }

  /** A text has become this long, by parts that were charged. */
  requireLength(length: number): void {
    if (length > this.limits.textLength)
      throw limitError(`a text becomes longer than ${this.limits.textLength} characters`);
  }

  /** A list of this length is about to be made. */
  chargeList(length: number): void {
    this.requireListLength(length);
    this.charge(length);
  }

  /** A list has become this long, by elements that were charged. */
  requireListLength(length: number): void {
    if (length > this.limits.listLength)
      throw limitError(`a list becomes longer than ${this.limits.listLength} elements`);
  }

  /** An integer of this many bits is about to be made. */
  requireBits(bits: number): void {
    if (bits > this.limits.integerBits)
      throw limitError(`a number becomes longer than ${this.limits.integerBits} bits`);
  }

  /** Runs a macro, block, include or recursive loop. */
  inCall<T>(run: () => T): T {
    this.#depth += 1;
    if (this.#depth > this.limits.callDepth)
      throw limitError(`macros, blocks, includes and loops are more than ${this.limits.callDepth} deep in each other`);
    const result = run();
    this.#depth -= 1;
    return result;
  }

  /** Goes into a value that holds values. */
  inValue<T>(run: () => T): T {
    this.#nesting += 1;
    if (this.#nesting > this.limits.nesting)
      throw limitError(`values are more than ${this.limits.nesting} deep in each other`);
    const result = run();
    this.#nesting -= 1;
    return result;
  }
}

function limitError(message: string): JinjaError {
  return new JinjaError("LimitError", message);
}
