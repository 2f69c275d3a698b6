import { deserialize, serialize } from "node:v8";

/**
 * How a value is put together: an array or object is begun inside the one that is open, is filled, and is ended.
 * `name`: under which member, inside an object.
 */
type Step =
  | { begin: unknown[] | object; name: string }
  | { items: unknown[] }
  | { members: Map<string, unknown> }
  | "end";

/** What one piece holds at most: elements, members and fiftieths of characters. Measured, it is read in about 5 ms. */
const mostOfPiece = 10_000;
const charactersOfOne = 50;

/**
 * Cuts a value that is read too slowly at once into pieces, each for itself: plain data without cycles. Undefined when it is small.
 * Only a text stays whole, however long: it is read quickly.
 */
export function cutValue(value: unknown, most = mostOfPiece): Uint8Array[] | undefined {
  if (roomAfter(value, most) >= 0) return undefined;
  const cutter = new Cutter(most);
  cutter.add(value);
  return cutter.end();
}

/** Puts the pieces of a value together, each in a turn of its own. The last turn is left to whoever waits for the value. */
export async function joinPieces(pieces: readonly Uint8Array[], nextTurn: () => Promise<void>): Promise<unknown> {
  const root: unknown[] = [];
  const open: object[] = [root];
  for (const piece of pieces) {
    await nextTurn();
    for (const step of deserialize(piece) as Step[]) take(open, step);
  }
  await nextTurn();
  return root[0];
}

function take(open: object[], step: Step): void {
  const holder = open.at(-1) ?? [];
  if (step === "end") open.pop();
  else if ("items" in step) for (const item of step.items) place(holder, "", item);
  else if ("members" in step) for (const [name, value] of step.members) place(holder, name, value);
  else {
    place(holder, step.name, step.begin);
    open.push(step.begin);
  }
}

function place(holder: object, name: string, value: unknown): void {
  if (Array.isArray(holder)) holder.push(value);
  // Assigned, it would be the prototype.
  else if (name === "__proto__")
    Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true });
  else (holder as Record<string, unknown>)[name] = value;
}

class Cutter {
  readonly #most: number;
  readonly #pieces: Uint8Array[] = [];
  #steps: Step[] = [];
  #room: number;

  constructor(most: number) {
    this.#most = most;
    this.#room = most;
  }

  add(value: unknown, owner: object = [], name = ""): void {
    const size = name.length / charactersOfOne;
    let left = roomAfter(value, this.#room - size);
    if (left < 0 && this.#steps.length > 0) {
      this.#endPiece();
      left = roomAfter(value, this.#room - size);
    }
    if (left < 0 && typeof value === "object" && value !== null) return this.#open(value, name);
    this.#put(value, owner, name);
    this.#room = left;
  }

  end(): Uint8Array[] {
    this.#endPiece();
    return this.#pieces;
  }

  #open(value: object, name: string): void {
    this.#steps.push({ begin: Array.isArray(value) ? [] : {}, name });
    this.#room -= 1;
    if (Array.isArray(value)) for (const item of value) this.add(item, value);
    else for (const [member, item] of Object.entries(value)) this.add(item, value, member);
    this.#steps.push("end");
  }

  #put(value: unknown, owner: object, name: string): void {
    const last = this.#steps.at(-1);
    if (Array.isArray(owner)) {
      if (last !== undefined && last !== "end" && "items" in last) last.items.push(value);
      else this.#steps.push({ items: [value] });
    } else if (last !== undefined && last !== "end" && "members" in last) last.members.set(name, value);
    else this.#steps.push({ members: new Map([[name, value]]) });
  }

  #endPiece(): void {
    this.#pieces.push(serialize(this.#steps));
    this.#steps = [];
    this.#room = this.#most;
  }
}

/** What is left of the room when the value is in it; negative when it is not. Looks no further than the room goes. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === "string") return room - 1 - value.length / charactersOfOne;
  let left = room - 1;
  if (typeof value !== "object" || value === null) return left;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index++) left = roomAfter(value[index], left);
    return left;
  }
  for (const name of Object.keys(value)) {
    if (left < 0) return left;
    left = roomAfter((value as Record<string, unknown>)[name], left - name.length / charactersOfOne);
  }
  return left;
}
