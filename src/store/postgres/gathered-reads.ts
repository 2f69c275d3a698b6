/** Answers many questions of the same kind at once: each key with its answer, keys without one are left out. */
export type AnswerMany<Key, Answer> = (keys: readonly Key[]) => Promise<ReadonlyMap<string, Answer>>;

interface Waiting<Answer> {
  resolve(answer: Answer | undefined): void;
  reject(error: unknown): void;
}

interface Batch<Key, Answer> {
  keys: Map<string, Key>;
  waiting: Map<string, Waiting<Answer>[]>;
}

/** Questions of one round at most. */
const largestRound = 500;

/**
 * Gathers the questions of one turn of the event loop, and those that come while a round is under way,
 * into the next round: a node that is asked by many at once puts few questions to the database.
 */
export class GatheredReads<Key, Answer> {
  readonly #answerMany: AnswerMany<Key, Answer>;
  #next: Batch<Key, Answer> | undefined;
  #isRunning = false;

  constructor(answerMany: AnswerMany<Key, Answer>) {
    this.#answerMany = answerMany;
  }

  /** The answer for a key; `text` tells keys apart. */
  ask(text: string, key: Key): Promise<Answer | undefined> {
    return new Promise((resolve, reject) => {
      this.#next ??= { keys: new Map(), waiting: new Map() };
      const { keys, waiting } = this.#next;
      keys.set(text, key);
      const others = waiting.get(text);
      if (others) others.push({ resolve, reject });
      else waiting.set(text, [{ resolve, reject }]);
      if (this.#isRunning) return;
      this.#isRunning = true;
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    for (let batch = this.#next; batch; batch = this.#next) {
      this.#next = undefined;
      await this.#answer(batch);
    }
    this.#isRunning = false;
  }

  async #answer({ keys, waiting }: Batch<Key, Answer>): Promise<void> {
    const entries = [...keys];
    for (let at = 0; at < entries.length; at += largestRound) {
      const round = entries.slice(at, at + largestRound);
      try {
        const answers = await this.#answerMany(round.map(([, key]) => key));
        for (const [text] of round) waiting.get(text)?.forEach(({ resolve }) => resolve(answers.get(text)));
      } catch (error) {
        for (const [text] of round) waiting.get(text)?.forEach(({ reject }) => reject(error));
      }
    }
  }
}
