import type { Socket } from "node:net";

const statusTexts = {
  400: "Bad Request",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
} as const;

const messages = {
  400: "This is not a valid HTTP request.",
  408: "The request took too long to arrive.",
  431: "The header of the request is too large.",
} as const;

/** Answers what never became a request: broken HTTP, a header that is too large or that never ends. Then hangs up. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (socket.destroyed || !socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const status = statusOf(error.code);
  const body = JSON.stringify({
    code: "BAD_REQUEST",
    message: messages[status],
    data: null,
    metadata: { errors: [] },
  });
  const head = [
    `HTTP/1.1 ${status} ${statusTexts[status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

function statusOf(code: string | undefined): keyof typeof messages {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return 408;
  return code === "HPE_HEADER_OVERFLOW" ? 431 : 400;
}
