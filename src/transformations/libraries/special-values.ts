/** A date between steps. It knows its time zone, so that its text form needs nothing else. */
export class DateValue {
  readonly #time: number;
  readonly #zone: (at: number) => number;

  constructor(time: number, zone: (at: number) => number) {
    this.#time = new Date(time).getTime();
    this.#zone = zone;
  }

  /** Milliseconds since the epoch; NaN for an invalid date. */
  get time(): number {
    return this.#time;
  }

  /** Minutes that local time is ahead of UTC. */
  get offset(): number {
    return this.#zone(this.#time);
  }

  /** The same place on another time. */
  at(time: number): DateValue {
    return new DateValue(time, this.#zone);
  }

  /** A date whose UTC fields are the local fields of this one. */
  get local(): Date {
    return new Date(this.#time + this.offset * 60_000);
  }

  toJSON(): string | null {
    return Number.isNaN(this.#time) ? null : new Date(this.#time).toISOString();
  }

  toString(): string {
    if (Number.isNaN(this.#time)) return "Invalid Date";
    return `${this.local.toUTCString().replace(/^(\w+), (\d+) (\w+) (\d+) (\S+) GMT$/u, "$1 $3 $2 $4 $5")} ${offsetText(this.offset)}`;
  }
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (value: number) => String(Math.trunc(value)).padStart(2, "0");
  return `GMT${minutes < 0 ? "-" : "+"}${two(size / 60)}${two(size % 60)}`;
}

/** A regular expression between steps. */
export class RegExpValue {
  readonly #source: string;
  readonly #flags: string;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
  }

  get source(): string {
    return this.#source;
  }

  get flags(): string {
    return this.#flags;
  }

  toString(): string {
    return `/${this.#source === "" ? "(?:)" : this.#source}/${this.#flags}`;
  }
}
