import { steps } from "../peers/steps.mjs";

// The called side of call-child.mjs. Ends with its standard input.
let rest = "";

process.stdin.setEncoding("utf8").on("data", (text) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop();
  const answers = lines.map((line) => {
    const { id, index, state } = JSON.parse(line);
    return `${JSON.stringify({ id, state: steps[index](state) })}\n`;
  });
  if (answers.length > 0) process.stdout.write(answers.join(""));
});
