// A screen is at most 500 px high until the patient asks for more: assistants show it in a chat, where nothing scrolls by
// itself.

const MOST_HEIGHT = 500;
const heightNow = () => Math.ceil(document.documentElement.getBoundingClientRect().height);

/** The parts that can be hidden one by one. */
const atoms = (node) => node.matches("ul:not(.map), dl, section, .days, .part, .profile") ? [...node.children].flatMap(atoms) : [node];

/** Hides the last parts of a screen that is too high, and puts `more` where they were. */
const fold = (nodes, more) => {
  const all = nodes.slice(0, -1).flatMap(atoms);
  const show = (count) => all.forEach((node, at) => node.classList.toggle("folded", at >= count));
  more.remove();
  show(all.length);
  if (heightNow() <= MOST_HEIGHT) return;
  nodes.at(-1).before(more);
  let [fits, tooMany] = [1, all.length];
  while (tooMany - fits > 1) {
    const count = Math.floor((fits + tooMany) / 2);
    show(count);
    if (heightNow() <= MOST_HEIGHT) fits = count;
    else tooMany = count;
  }
  // No heading without what is below it.
  while (fits > 1 && all[fits - 1].matches("h2, label")) fits -= 1;
  show(fits);
};

/** Shows all parts of a screen for good. */
const unfold = (nodes, more) => {
  more.remove();
  const hidden = nodes.flatMap(atoms).filter((node) => node.classList.contains("folded"));
  for (const node of hidden) node.classList.remove("folded");
  hidden.map((node) => node.matches("button") ? node : node.querySelector("button, select")).find(Boolean)?.focus();
};
