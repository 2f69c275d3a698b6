/** How a demo router misbehaves, to see how its clients bear it. All of it is off unless asked for. */
export interface RouterFaults {
  /** The answer to a command waits for this promise: a slow device. */
  beforeAnswer?(line: string): Promise<void> | undefined;
  /** Everything is sent in pieces of so many bytes. */
  pieceBytes?: number;
  /** The connection is cut in the middle of the answer to commands that begin so. */
  cutOn?: string;
  /** Log messages between the echo and the output of a command. */
  logAfterEcho?: string;
  /** Log messages after the prompt, which is not shown again. */
  logAfterPrompt?: string;
  /** Answers to commands the router does not have. */
  answers?: Readonly<Record<string, string>>;
  /** Pages of so many lines, whatever the terminal says and `terminal length` sets. */
  fixedPageLines?: number;
  /** Nothing that is typed is shown. */
  hasNoEcho?: boolean;
}
