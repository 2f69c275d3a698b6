import {
  createDocumentService,
  type DocumentService,
  type DocumentServiceOptions,
  type KeptDocument,
} from "../document-storage/index.ts";
import { PlatformError } from "../core/errors.ts";
import { lightOrHeavy } from "../core/heavy-work.ts";
import type { WorkerPool } from "../worker-pool/index.ts";
import type { JsonObject } from "../core/json.ts";
import { TaskError } from "../core/task.ts";
import {
  chooseTransformation,
  readCandidates,
  type TransformationHeader,
  type TransformationReference,
} from "./find-transformation.ts";
import { extractOutput } from "./run-transformation.ts";
import type { TransformationOutline, TransformationRun } from "./transformation-outline.ts";

/** A transformation as it is stored. */
export type StoredTransformation = TransformationOutline & KeptDocument;

/** Runs a document: outgoing values by `$id`; TaskError when it cannot. */
export type Transform = (
  document: JsonObject,
  incoming: Record<string, unknown>,
  options: unknown,
) => Record<string, unknown>;

export interface TransformationsServiceOptions extends Omit<DocumentServiceOptions, "collection" | "noun"> {
  transform: Transform;
  /** Runs what takes too long for the event loop. */
  pool: WorkerPool;
}

export interface TransformationsService extends DocumentService<StoredTransformation> {
  /** The transformation a task of a workflow names; see `chooseTransformation` for the rules. */
  findReferred(reference: TransformationReference): Promise<StoredTransformation | undefined>;
  /** Runs a stored transformation; UNPROCESSABLE with the reason when it cannot compute. */
  run(idOrName: string, run: TransformationRun): Promise<unknown>;
}

/** Keeps transformations under names of their own, and runs them. */
export function createTransformationsService({
  transform,
  pool,
  ...options
}: TransformationsServiceOptions): TransformationsService {
  const documents = createDocumentService<StoredTransformation>({
    ...options,
    collection: "transformations",
    noun: "transformation",
  });
  return {
    ...documents,
    async findReferred(reference) {
      const candidates = await readCandidates<StoredTransformation & TransformationHeader>(options.store, [reference]);
      return chooseTransformation(reference, candidates);
    },
    async run(idOrName, { incoming = {}, options: runOptions }) {
      const document = (await documents.get(idOrName)) as unknown as JsonObject;
      const work = { document, incoming, options: runOptions ?? undefined };
      const outgoing = await runOrRefuse(() =>
        lightOrHeavy(
          () => transform(document, incoming, work.options),
          () => pool.run("runTransformation", { ...work, now: options.clock.now() }, { key: idOrName }),
        ),
      );
      return extractOutput({ outgoing }, runOptions) ?? null;
    },
  };
}

async function runOrRefuse<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    if (thrown instanceof TaskError) throw new PlatformError("UNPROCESSABLE", thrown.message);
    throw thrown;
  }
}
