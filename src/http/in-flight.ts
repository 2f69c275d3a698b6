/** How much the server works on at the same time, at most. */
export interface InFlightLimits {
  requests: number;
  /** All their bodies together. */
  bodyBytes: number;
}

/** The place of a request among those in flight. */
export interface Place {
  /** The body was read and has so many bytes. */
  resize(bodyBytes: number): void;
  /** Does a part of the request's work. The place is kept until it ends, even when the client has gone away. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The reply was sent, or the client has gone away. */
  leave(): void;
}

/** The requests that the server works on. What exceeds the limits is refused at once, so that memory and waiting stay bounded. */
export class InFlight {
  readonly #limits: InFlightLimits;
  #requests = 0;
  #bodyBytes = 0;
  #emptyWaiters: (() => void)[] = [];

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
  }

  /** A place for a request whose body may have so many bytes; undefined when the server has no room for it. */
  take(bodyBytes: number): Place | undefined {
    const { requests, bodyBytes: mostBytes } = this.#limits;
    const isFull = this.#requests >= requests || this.#bodyBytes + bodyBytes > mostBytes;
    // Whatever its body, one request alone always finds room.
    if (isFull && this.#requests > 0) return undefined;
    this.#requests += 1;
    return this.#place(bodyBytes);
  }

  /** Resolves when no request is in flight. */
  whenEmpty(): Promise<void> {
    if (this.#requests === 0) return Promise.resolve();
    return new Promise((resolve) => this.#emptyWaiters.push(resolve));
  }

  #place(expectedBytes: number): Place {
    let bytes = 0;
    let holders = 1;
    const resize = (to: number): void => {
      if (holders === 0) return;
      this.#bodyBytes += to - bytes;
      bytes = to;
    };
    const letGo = (): void => {
      if (holders === 1) resize(0);
      holders -= 1;
      if (holders === 0) this.#free();
    };
    let hasLeft = false;
    resize(expectedBytes);
    return {
      resize,
      async during(work) {
        holders += 1;
        try {
          return await work();
        } finally {
          letGo();
        }
      },
      leave() {
        if (hasLeft) return;
        hasLeft = true;
        letGo();
      },
    };
  }

  #free(): void {
    this.#requests -= 1;
    if (this.#requests > 0) return;
    for (const resolve of this.#emptyWaiters.splice(0)) resolve();
  }
}
