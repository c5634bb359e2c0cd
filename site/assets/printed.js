// On paper, a page says when it was printed and where it is.

import { element, fill, format } from "./dom.js";
import { TEXTS } from "./texts.js";

addEventListener("beforeprint", () => {
  document.getElementById("printed")?.remove();
  const date = format({ dateStyle: "full" }).format();
  const state = new URLSearchParams(location.search).get("state");
  const said = element("p", { id: "printed", className: "wrap" }, `${fill(TEXTS.printed, { date })} · ${location.href.split(/[?#]/)[0]}${state ? `?${new URLSearchParams({ state })}` : ""}`);
  document.getElementById("main").append(said);
});
addEventListener("afterprint", () => document.getElementById("printed")?.remove());
