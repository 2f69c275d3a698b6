/** A process that runs the steps of the chain for others. */
export interface CallChild {
  /** State after step `index` (from 0), computed in the other process. */
  call(index: number, state: object): Promise<object>;
  stop(): void;
}

export function startCallChild(): CallChild;
