// On paper, a page says when it was printed and where it is.

import { element, fill, format } from "./dom.js";
import { TEXTS } from "./texts.js";

const said = element("p", { id: "printed", className: "wrap" });
const tell = () => {
  const date = format({ dateStyle: "full" }).format();
  const kept = [...new URLSearchParams(location.search)].filter(([name]) => ["state", "plan"].includes(name));
  said.textContent = `${fill(TEXTS.printed, { date })} · ${location.href.split(/[?#]/)[0]}${kept.length > 0 ? `?${new URLSearchParams(kept)}` : ""}`;
};
document.getElementById("main").append(said);
tell();
addEventListener("beforeprint", tell);
