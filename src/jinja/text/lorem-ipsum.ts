const words =
  "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua enim ad minim veniam quis nostrud exercitation ullamco laboris nisi aliquip ex ea commodo consequat".split(
    " ",
  );

/** A paragraph of at least `least` and less than `most` meaningless words. */
export function loremIpsum(random: () => number, least: number, most: number): string {
  const count = least + Math.floor(random() * (most - least));
  let text = "";
  let last = "";
  let isStart = true;
  for (let index = 0; index < count; index++) {
    let word = words[Math.floor(random() * words.length)] ?? "lorem";
    if (word === last) word = words[(words.indexOf(word) + 1) % words.length] ?? word;
    last = word;
    text += (text === "" ? "" : " ") + (isStart ? word.charAt(0).toUpperCase() + word.slice(1) : word);
    isStart = index % 12 === 11;
    if (isStart) text += ".";
    else if (index % 5 === 4) text += ",";
  }
  return `${text.replace(/[,.]$/u, "")}.`;
}
