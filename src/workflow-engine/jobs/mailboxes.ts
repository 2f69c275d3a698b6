/** Brings requests to one worker per key: those of one key one batch after the other, those of different keys side by side. */
export interface Mailboxes<Request> {
  send(key: string, request: Request): void;
}

/** Works a batch of one key. False: the batch is to be worked again, before what came meanwhile. */
export type BatchWorker<Request> = (key: string, batch: readonly Request[]) => Promise<boolean>;

/** Mailboxes that hand each batch to `work`, which must not reject. */
export function createMailboxes<Request>(work: BatchWorker<Request>): Mailboxes<Request> {
  const open = new Map<string, Request[]>();

  const drain = async (key: string, requests: Request[]): Promise<void> => {
    while (requests.length > 0) {
      const batch = requests.splice(0);
      if (!(await work(key, batch))) requests.unshift(...batch);
    }
    open.delete(key);
  };

  return {
    send(key, request) {
      const requests = open.get(key);
      if (requests) {
        requests.push(request);
        return;
      }
      const opened = [request];
      open.set(key, opened);
      void drain(key, opened);
    },
  };
}
