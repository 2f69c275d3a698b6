/** What happens to what is typed. */
export interface LineEditorEvents {
  echo(text: string): void;
  line(line: string): void;
  help(line: string): void;
  /** Gives what a Tab adds to the line. */
  complete(line: string): string;
  cancel(): void;
  leave(): void;
}

export interface LineEditor {
  /** One character. `isAnswer`: a question is open, so that `?` and Tab are plain characters. */
  key(character: string, isAnswer: boolean): void;
}

const longestLine = 4_096;

/** A line of input with backspace, Ctrl-C, Ctrl-D, Ctrl-U, Tab and `?`. */
export function createLineEditor(events: LineEditorEvents): LineEditor {
  let line = "";
  let isAfterReturn = false;
  let escape = "";

  function type(text: string): void {
    if (line.length >= longestLine) return;
    line += text;
    events.echo(text);
  }

  function erase(count: number): void {
    line = line.slice(0, line.length - count);
    events.echo("\b \b".repeat(count));
  }

  function enter(): void {
    const entered = line;
    line = "";
    events.echo("\n");
    events.line(entered);
  }

  const controls: Readonly<Record<string, () => void>> = {
    "\u0003": () => {
      line = "";
      events.cancel();
    },
    "\u0004": () => {
      if (line === "") events.leave();
    },
    "\u0015": () => erase(line.length),
    "\u007f": () => erase(Math.min(1, line.length)),
    "\b": () => erase(Math.min(1, line.length)),
  };

  function key(character: string, isAnswer: boolean): void {
    const isSecondOfPair = isAfterReturn && character === "\n";
    isAfterReturn = character === "\r";
    if (isSecondOfPair || isInEscape(character)) return;
    if (character === "\r" || character === "\n") return enter();
    const control = controls[character];
    if (control) return control();
    if (character === "?" && !isAnswer) return events.help(line);
    if (character === "\t") return isAnswer ? undefined : type(events.complete(line));
    if (character >= " ") type(character);
  }

  /** Arrow keys and the like are not supported: their sequences are swallowed. */
  function isInEscape(character: string): boolean {
    if (character === "\u001b") {
      escape = character;
      return true;
    }
    if (escape === "") return false;
    escape += character;
    if (escape.length > 2 && /[@-~]/.test(character)) escape = "";
    else if (escape.length === 2 && character !== "[" && character !== "O") escape = "";
    return true;
  }

  return { key };
}
