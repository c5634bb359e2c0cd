// Whether a word is another one with one mistake.

/** One letter is wrong, missing or too much, or two changed places; never the first letter. */
export const isNear = (one, other) => {
  if (one[0] !== other[0] || Math.abs(one.length - other.length) > 1) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const rests = [[at + 1, at + 1], [at + 1, at], [at, at + 1]];
  const isSwapped = one[at] === other[at + 1] && one[at + 1] === other[at] && one.slice(at + 2) === other.slice(at + 2);
  return isSwapped || rests.some(([here, there]) => one.slice(here) === other.slice(there));
};
