/**
 * The value of a step that failed. It fails the run only where a wire carries it to an outgoing or to an
 * argument that is really used; the unchosen side of a ternary may fail (spec: tasks-and-transformations.md B §3.9).
 */
export class Poison {
  /** Where and why, e.g. `step 7 (JSON.parse): …`. */
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Carries a failed value through a method to the step that called it. */
export class PoisonError extends Error {
  readonly poison: Poison;

  constructor(poison: Poison) {
    super(poison.message);
    this.poison = poison;
  }
}
