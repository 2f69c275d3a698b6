import { createHash } from "node:crypto";
import { isJsonObject } from "../../core/json.ts";
import { conflict } from "../../core/errors.ts";
import { StoredValue } from "../../core/stored-value.ts";
import {
  isStoredText,
  largestInline,
  largeValuePrefix,
  type LargePart,
  type LargeReference,
  type LargeValueDocument,
} from "./large-parts.ts";
import { roomAfter } from "./text-size.ts";

/** JSON text of a document, and what was taken out of it. */
export interface EncodedDocument {
  text: string;
  parts: LargePart[];
}

/** What is in the store already of one tree of jobs. */
export interface StoredValues {
  /** The root job of the tree. */
  root: string;
  referenceTo(value: object | string): LargeReference | undefined;
  has(id: string): boolean;
}

/** Members that hold values of users by name, and members that are such a value. Everything else is structure, which stays. */
const mapMembers: ReadonlySet<string> = new Set(["incoming", "outgoing", "replaced", "variables"]);
const valueMembers: ReadonlySet<string> = new Set(["value", "item", "error", "message"]);

/**
 * Encodes the documents of one commit. Values of users are looked at from the inside out: one whose
 * text, without what was already taken out of it, is still too long is taken out itself. A value that
 * occurs again, in this commit or since it was stored, is known by its identity and not encoded again.
 */
export class LargeValueEncoder {
  readonly #stored: StoredValues;
  readonly #most: number;
  readonly #taken = new Map<object | string, LargeReference>();
  readonly #documents = new Map<string, LargeValueDocument>();

  /** `most`: characters of JSON text that a value may have in its place. */
  constructor(stored: StoredValues, most = largestInline) {
    this.#stored = stored;
    this.#most = most;
  }

  /** Values taken out so far that the store may not have. */
  get documents(): LargeValueDocument[] {
    return [...this.#documents.values()];
  }

  /** Every value taken out so far, for whoever remembers what is stored. */
  get taken(): ReadonlyMap<object | string, LargeReference> {
    return this.#taken;
  }

  /** Encodes a delta or a state. */
  encodeDocument(document: object): EncodedDocument {
    if (this.#isSmall(document)) return inline(document);
    if (Array.isArray(document)) return this.#array(document, (item) => this.#structure(item));
    return this.#members(document, (value, name) => this.#member(document, name, value));
  }

  /** Encodes one value of a user. */
  encodeValue(value: unknown): EncodedDocument {
    if (typeof value === "string") return this.#string(value);
    if (typeof value !== "object" || value === null) return inline(value);
    if (value instanceof StoredValue) return this.#handle(value);
    const known = this.#referenceTo(value);
    if (known) return placeholder(known);
    if (this.#isSmall(value)) return inline(value);
    const encoded = Array.isArray(value)
      ? this.#array(value, (item) => this.encodeValue(item))
      : this.#members(value, (item) => this.encodeValue(item));
    return encoded.text.length > this.#most ? placeholder(this.#take(value, encoded)) : encoded;
  }

  #isSmall(value: unknown): boolean {
    return roomAfter(value, this.#most) >= 0;
  }

  /** A value of another tree would go with that one. */
  #handle(value: StoredValue): EncodedDocument {
    const { root } = this.#stored;
    if (value.root !== root)
      throw conflict(
        `Large value ${value.id} belongs to another job: ${root} and the jobs below it cannot take it over`,
      );
    return placeholder(value);
  }

  #structure(value: unknown): EncodedDocument {
    if (value instanceof StoredValue) return this.#handle(value);
    return typeof value === "object" && value !== null ? this.encodeDocument(value) : inline(value);
  }

  #member(owner: object, name: string, value: unknown): EncodedDocument {
    // The error of a failed job is a structure of the engine, with a message in it.
    const isValue = valueMembers.has(name) && !(name === "error" && "change" in owner && owner.change === "failed");
    if (isValue) return this.encodeValue(value);
    if (mapMembers.has(name) && isJsonObject(value)) return this.#members(value, (item) => this.encodeValue(item));
    return this.#structure(value);
  }

  #string(value: string): EncodedDocument {
    if (this.#isSmall(value)) return inline(value);
    const known = this.#referenceTo(value);
    if (known) return placeholder(known);
    const encoded = inline(value);
    return encoded.text.length > this.#most ? placeholder(this.#take(value, encoded)) : encoded;
  }

  #members(object: object, encode: (value: unknown, name: string) => EncodedDocument): EncodedDocument {
    let text = "";
    const parts: LargePart[] = [];
    for (const [name, value] of Object.entries(object)) {
      if (value === undefined) continue;
      const member = encode(value, name);
      text = joined(text, `${JSON.stringify(name)}:` + member.text);
      for (const part of member.parts) parts.push(within(name, part));
    }
    return { text: "{" + text + "}", parts };
  }

  /** Neighbours that are small together are encoded together: an array of a million numbers costs few calls. */
  #array(array: readonly unknown[], encode: (value: unknown) => EncodedDocument): EncodedDocument {
    let text = "";
    const parts: LargePart[] = [];
    let runStart = 0;
    let room = this.#most;
    const endRun = (end: number): void => {
      if (end > runStart) text = joined(text, JSON.stringify(array.slice(runStart, end)).slice(1, -1));
      room = this.#most;
    };
    array.forEach((item: unknown, index) => {
      room = roomAfter(item, room - 1);
      if (room >= 0) return;
      endRun(index);
      const element = encode(item ?? null);
      text = joined(text, element.text);
      for (const part of element.parts) parts.push(within(index, part));
      runStart = index + 1;
    });
    endRun(array.length);
    return { text: "[" + text + "]", parts };
  }

  #referenceTo(value: object | string): LargeReference | undefined {
    return this.#taken.get(value) ?? this.#stored.referenceTo(value);
  }

  #take(value: object | string, { text, parts }: EncodedDocument): LargeReference {
    const hash = createHash("sha256").update(text);
    if (parts.length > 0) hash.update("\n").update(JSON.stringify(parts));
    const id = largeValuePrefix(this.#stored.root) + hash.digest("hex");
    const reference = { id, size: parts.reduce((sum, part) => sum + sizeWithin(part), text.length) };
    this.#taken.set(value, reference);
    if (!this.#stored.has(id))
      this.#documents.set(id, { _id: id, text, ...(parts.length > 0 ? { large: parts } : {}) });
    return reference;
  }
}

function inline(value: unknown): EncodedDocument {
  return { text: JSON.stringify(value), parts: [] };
}

/** Texts are concatenated, which copies nothing: to join an array of them would copy a long text once for each level it lies deep. */
function joined(before: string, next: string): string {
  return before === "" ? next : before + "," + next;
}

/** A handle within a value is a handle when the value is read. */
function sizeWithin({ id, size }: LargePart): number {
  return isStoredText(id) ? 0 : size;
}

function placeholder({ id, size }: LargeReference): EncodedDocument {
  return { text: "null", parts: [{ at: [], id, size }] };
}

function within(name: string | number, { at, id, size }: LargePart): LargePart {
  return { at: [name, ...at], id, size };
}
