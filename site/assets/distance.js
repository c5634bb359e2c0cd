// How far what was typed is from what may be meant, for the search's words and its sentences.

/** How many letters are wrong, missing, too much, or changed places. */
export const distance = (one, other) => {
  let [older, last] = [[], [...other, 0].map((_, at) => at)];
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const isSame = one[row - 1] === other[at - 1];
      next[at] = Math.min(last[at] + 1, next[at - 1] + 1, last[at - 1] + !isSame);
      if (one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]) next[at] = Math.min(next[at], older[at - 2] + 1);
    }
    [older, last] = [last, next];
  }
  return last.at(-1);
};
