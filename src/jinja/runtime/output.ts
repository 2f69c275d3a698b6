import type { Budget } from "../limits.ts";

/** Text that grows. */
export class Output {
  readonly #budget: Budget;
  #text = "";

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  write(text: string): void {
    this.#text += text;
    this.#budget.requireLength(this.#text.length);
    this.#budget.charge(1 + (text.length >> 4));
  }

  text(): string {
    return this.#text;
  }
}
