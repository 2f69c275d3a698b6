import type { Clock } from "../../core/clock.ts";

/** Rings once at the earliest of the moments it was set for. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #at = Number.POSITIVE_INFINITY;
  #cancelTimer: () => void = () => undefined;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Milliseconds since the epoch; a moment that has passed rings at once. Later moments than the one set are left out. */
  setFor(at: number): void {
    if (at >= this.#at) return;
    this.cancel();
    this.#at = at;
    this.#cancelTimer = this.#clock.after(Math.max(0, at - this.#clock.now()), () => {
      this.#at = Number.POSITIVE_INFINITY;
      this.#ring();
    });
  }

  cancel(): void {
    this.#at = Number.POSITIVE_INFINITY;
    this.#cancelTimer();
  }
}
