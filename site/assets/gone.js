// A page that doesn't exist: of a state that isn't served, it says so, and which ones are close.

import { BASE, element, fill, list } from "./dom.js";
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
  const heading = fill(TEXTS.notServed, { state: name(code) });
  document.querySelector("h1").textContent = heading;
  document.title = heading + document.title.slice(document.title.lastIndexOf(" · "));
  const near = neighbors[code]?.split(" ") ?? [];
  const rest = [...near];
  const link = (other) => element("a", { href: `${BASE}/states/${other.toLowerCase()}` }, name(other));
  const links = list.formatToParts(near.map(name)).map(({ type, value }) => (type === "element" ? link(rest.shift()) : value));
  const [before, after] = fill(TEXTS.closestStates, { count: near.length, states: "|" }).split("|");
  if (near.length > 0) document.getElementById("gone").replaceChildren(before, ...links, after);
}
