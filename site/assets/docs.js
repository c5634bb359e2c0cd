// The documentation's console and its copy buttons. The console shows the bytes of the answer as they came.

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

const copyButton = (text) => {
  const button = element("button", { type: "button" }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Couldn’t copy";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  return button;
};

for (const block of document.querySelectorAll("[data-copy]")) {
  const around = element("div", { className: "copy" });
  block.replaceWith(around);
  around.append(block, copyButton(() => block.textContent));
}

const form = document.getElementById("try-form");
const result = document.getElementById("try-result");
const SHOWN = ["content-type", "cache-control", "etag", "availability-as-of", "availability-status", "retry-after", "x-ignored-parameters", "nameplate-generation"];

const address = () => {
  let path = form.getAttribute("action");
  const query = new URLSearchParams();
  for (const field of form.elements) {
    if (!field.name) continue;
    if ("inPath" in field.dataset) path = path.replace(`{${field.name}}`, encodeURIComponent(field.value));
    else if (field.value !== "") query.append(field.name, field.value);
  }
  return query.size > 0 ? `${path}?${query}` : path;
};

const send = async () => {
  const path = address();
  result.replaceChildren(element("p", { className: "quiet" }, "Sending…"));
  try {
    const from = performance.now();
    const response = await fetch(path);
    const body = await response.text();
    const took = Math.round(performance.now() - from);
    const headers = SHOWN.filter((name) => response.headers.has(name)).map((name) => `${name}: ${response.headers.get(name)}`);
    const code = element("code", { id: "try-body" }, body);
    result.replaceChildren(
      element("p", { className: "try-line" }, element("code", {}, `GET ${new URL(path, location.href)}`), element("strong", {}, `${response.status}`), element("span", { className: "quiet" }, `${took} ms`), copyButton(() => body)),
      element("pre", { tabIndex: 0, ariaLabel: "Headers of the answer" }, element("code", {}, headers.join("\n"))),
      element("pre", { tabIndex: 0, ariaLabel: "Body of the answer" }, code),
    );
  } catch {
    result.replaceChildren(element("p", {}, "Couldn’t reach the service. Check your connection."));
  }
};

if (form) {
  form.hidden = false;
  result.replaceChildren();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
}
