// A page that doesn't exist: of a state that isn't served, it says so, and which ones are close.

import { BASE, element, fill } from "./dom.js";
import { STATES, TEXTS } from "./texts.js";

// As on the home page, what is typed stays behind "#" and isn't sent.
const form = document.querySelector("main form");
form.addEventListener("submit", (event) => {
  event.preventDefault();
  location.assign(`${form.action}#${new URLSearchParams(new FormData(form))}`);
});

const [, code] = /\/states\/([a-z]{2})\/?$/i.exec(location.pathname)?.map((part) => part.toUpperCase()) ?? [];
const { states = {}, neighbors = {} } = code ? await fetch("/assets/sentence.json").then((response) => response.json()).catch(() => ({})) : {};
const name = (code) => STATES[code] ?? states[code];
if (name(code)) {
  document.querySelector("h1").textContent = fill(TEXTS.notServed, { state: name(code) });
  const near = neighbors[code]?.split(" ") ?? [];
  const links = near.flatMap((other, at) => [at > 0 && ", ", element("a", { href: `${BASE}/states/${other.toLowerCase()}` }, name(other))]);
  const [before, after] = fill(TEXTS.closestStates, { count: near.length, states: "|" }).split("|");
  if (near.length > 0) document.getElementById("gone").replaceChildren(before, ...links.filter(Boolean), after);
}
