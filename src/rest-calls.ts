import { largestParsed } from "./core/result-size.ts";
import { TaskError, type TaskResult } from "./core/task.ts";
import { explainFailure, RequestError, type OutgoingAnswer, type OutgoingRequests } from "./outgoing-requests/index.ts";
import { readRestCall, restCallTask, type RestCall } from "./task-library/index.ts";
import { errorResult, type TaskCall, type TaskCaller } from "./workflow-engine/index.ts";

const origin = `${restCallTask.app}.${restCallTask.name}`;

/** Makes the requests of the task `restCall` and leaves every other call to the next. */
export function createRestCalls(requests: OutgoingRequests, next: TaskCaller): TaskCaller {
  return {
    async call(call) {
      const { task } = call;
      const isRestCall = task.name === restCallTask.name && (task.app ?? restCallTask.app) === restCallTask.app;
      if (!isRestCall) return next.call(call);
      try {
        return await makeRestCall(requests, call);
      } catch (error) {
        // The node stops, and another one makes the call again.
        if (requests.isClosed) throw error;
        if (error instanceof RequestError || error instanceof TaskError) return errorResult(origin, error.message);
        throw error;
      }
    },
  };
}

async function makeRestCall(
  requests: OutgoingRequests,
  { incoming, idempotencyKey, keep }: TaskCall,
): Promise<TaskResult> {
  const request = readRestCall(incoming);
  const answer = await requests.send({ ...request, headers: withKey(request, idempotencyKey) });
  try {
    const isSuccess = answer.status >= 200 && answer.status < 300;
    const body = await readBody(request, answer, isSuccess ? keep : undefined);
    if (!isSuccess) return refused(request, answer, body);
    const { status, headers } = answer;
    return { finishState: "success", outgoing: { response: request.withHeaders ? { status, headers, body } : body } };
  } finally {
    answer.body.destroy();
  }
}

/** These are not safe to repeat by themselves; whoever knows the header repeats nothing (draft-ietf-httpapi-idempotency-key-header). */
function withKey({ method, headers }: RestCall, key: string): Record<string, string> {
  const isRepeatable = method !== "POST" && method !== "PATCH";
  return isRepeatable ? headers : { "idempotency-key": key, ...headers };
}

/** An answer that is an error, as the field's adapters tell of it (adapters.md §2, 9). */
function refused({ url, method }: RestCall, { status, headers }: OutgoingAnswer, body: unknown): TaskResult {
  const response = typeof body === "string" ? body : JSON.stringify(body);
  const { error, ...result } = errorResult(origin, `${method} ${url.host} answered ${status}`);
  const { icode, IAPerror } = error as { icode: string; IAPerror: object };
  const raw_response = { status: "failure", code: status, headers, response };
  return { ...result, error: { icode, IAPerror: { ...IAPerror, code: status, raw_response }, response: body } };
}

/** JSON parsed, other text as it is, anything else in Base64. JSON that is too large for memory goes to the store, where `keep` is given. */
async function readBody(
  { url }: RestCall,
  { headers, body }: OutgoingAnswer,
  keep?: TaskCall["keep"],
): Promise<unknown> {
  const type = String(headers["content-type"] ?? "").toLowerCase();
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/u.test(type);
  const pieces: Buffer[] = [];
  let size = 0;
  const rest = piecesOf(url, body);
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    pieces.push(next.value);
    size += next.value.length;
    if (size <= largestParsed) continue;
    if (isJson && keep) return keep(chain(pieces, rest));
    throw new TaskError(`The answer has more than ${largestParsed} bytes`);
  }
  return valueOf(Buffer.concat(pieces), type, isJson);
}

/** What fails here is the answer's fault; what fails in keeping it is not. */
async function* piecesOf({ host }: URL, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw explainFailure(host, error);
  }
}

async function* chain(pieces: Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  while (pieces.length > 0) yield pieces.shift() ?? Buffer.alloc(0);
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

function valueOf(bytes: Buffer, type: string, isJson: boolean): unknown {
  const text = decode(bytes, /charset="?([\w-]+)/u.exec(type)?.[1]);
  if (text === undefined) return bytes.toString("base64");
  const isLikeJson = isJson || ((type === "" || type.startsWith("text/")) && /^\s*[[{]/u.test(text));
  return isLikeJson ? parsed(text) : text;
}

function decode(bytes: Buffer, charset = "utf-8"): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return text.trim() === "" ? "" : (JSON.parse(text) as unknown);
  } catch {
    return text;
  }
}
