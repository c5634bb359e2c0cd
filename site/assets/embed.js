// Writes the code of an element as the form describes it, and shows the element.

const form = document.getElementById("embed-form");
const code = document.getElementById("embed-code");
const preview = document.getElementById("embed-preview");
const { script, pinned, integrity, site } = form.dataset;

const quoted = (text) => `"${text.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`;

/** The attributes of the fields that are shown and filled in. */
const attributes = () => {
  const fields = [...form.elements].filter((field) => field.dataset.attribute && !field.closest("[hidden]"));
  const given = fields.filter((field) => (field.type === "checkbox" ? field.checked : field.value !== ""));
  const pairs = given.map((field) => [field.dataset.attribute, field.type === "checkbox" ? "" : field.value]);
  // Open times need a state.
  const has = Object.fromEntries(pairs);
  return pairs.filter(([name]) => name !== "next" || has.state);
};

/** The link that is shown if the element can't be. */
const fallback = (element, { slug, state }) => {
  const place = form.querySelector("#embed-state").selectedOptions[0].text;
  if (element === "nameplate-profile" && slug) return [`${site}/providers/${slug}`, "The clinician’s page"];
  return state ? [`${site}/states/${state.toLowerCase()}`, `Clinicians in ${place}`] : [`${site}/clinicians`, "Our clinicians"];
};

const write = () => {
  const element = form.elements.element.value;
  for (const field of form.querySelectorAll("[data-for]")) field.hidden = !field.dataset.for.split(" ").includes(element);
  const pairs = attributes();
  const [href, text] = fallback(element, Object.fromEntries(pairs));
  const source = form.elements.pin.checked ? `src="${pinned}" integrity="${integrity}" crossorigin` : `src="${script}"`;
  const written = pairs.map(([name, value]) => (value === "" ? ` ${name}` : ` ${name}=${quoted(value)}`)).join("");
  code.textContent = `<script type="module" ${source}></script>\n<${element}${written}><a href=${quoted(href)}>${text}</a></${element}>`;

  const shown = document.createElement(element);
  for (const [name, value] of pairs) shown.setAttribute(name, value);
  shown.append(Object.assign(document.createElement("a"), { href, textContent: text }));
  preview.replaceChildren(shown);
};

form.addEventListener("submit", (event) => {
  event.preventDefault();
  write();
});
form.addEventListener("change", write);
write();
