// Pages have the days of a leave, because a build doesn't know when it is read. What they mean today is said here.

import { aboutLeave } from "./cards.js";

for (const said of document.querySelectorAll(".leave[data-from]")) {
  const { isNow, text } = aboutLeave(said.dataset) ?? {};
  said.hidden = !text;
  said.textContent = text ?? "";
  if (!isNow) continue;
  said.dataset.now = "";
  // The green background would promise openings.
  const answer = said.closest("#answer");
  answer?.classList.add("not");
  // Nor is booking the next step.
  if (answer) document.querySelector(".to-book")?.remove();
  for (const other of said.parentElement.querySelectorAll(":scope > :is(.open, .closed):not(.leave)")) other.hidden = true;
}
for (const open of document.querySelectorAll("[data-back]")) {
  if (!open.parentElement.querySelector(".leave:not([hidden])")) open.textContent = open.dataset.back;
}
