// On paper, a page says when it was printed and where it is.

import { element, fill, format } from "./dom.js";
import { TEXTS } from "./texts.js";

const said = element("p", { id: "printed", className: "wrap" });
const tell = () => {
  const date = format({ dateStyle: "full" }).format();
  const state = new URLSearchParams(location.search).get("state");
  said.textContent = `${fill(TEXTS.printed, { date })} · ${location.href.split(/[?#]/)[0]}${state ? `?${new URLSearchParams({ state })}` : ""}`;
};
document.getElementById("main").append(said);
tell();
addEventListener("beforeprint", tell);
