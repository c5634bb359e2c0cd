// Serves a tree by the routes of _vercel/config.json, as the documents of Vercel's Build Output API describe them.
// Usage: node vercel.mjs TREE PORT
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { proxied } from "./live.mjs";

const [tree, port] = process.argv.slice(2);
const { version, routes } = JSON.parse(fs.readFileSync(path.join(tree, "_vercel/config.json"), "utf8"));
const TYPES = { html: "text/html", css: "text/css", js: "text/javascript", json: "application/json", xml: "application/xml", txt: "text/plain", svg: "image/svg+xml", png: "image/png", jpg: "image/jpeg", webp: "image/webp", woff2: "font/woff2" };
const KEYS = new Set(["src", "dest", "status", "headers", "has", "continue", "handle"]);
if (version !== 3 || routes.length > 2048) throw new Error(`version ${version}, ${routes.length} routes`);

const phases = { start: [] };
let phase = "start";
for (const route of routes) {
  const unknown = Object.keys(route).find((key) => !KEYS.has(key));
  if (unknown || (route.src?.length ?? 0) > 4096) throw new Error(`a route that Vercel refuses: ${JSON.stringify(route)}`);
  if (route.handle) phases[(phase = route.handle)] = [];
  else phases[phase].push({ ...route, pattern: new RegExp(route.src, "i") });
}

const fileOf = (uri) => {
  const file = path.join(tree, uri.endsWith("/") ? `${uri}index.html` : uri);
  return !uri.startsWith("/_vercel") && fs.existsSync(file) && fs.statSync(file).isFile() ? file : null;
};
const has = ({ key, value }, query) => {
  // Of a repeated parameter, the last value.
  const given = query.getAll(key).at(-1);
  return given !== undefined && (value === undefined || new RegExp(`^(?:${value})$`).test(given));
};
const first = (name, uri, query) => {
  for (const route of phases[name] ?? []) {
    const found = route.pattern.exec(uri);
    if (found && (route.has ?? []).every((one) => has(one, query))) return { route, dest: route.dest?.replace(/\$(\d)/g, (_, at) => found[at] ?? "") };
  }
  return {};
};

const sent = (uri, status, more, incoming) => {
  const file = fileOf(uri);
  if (!file) return null;
  const headers = { "content-type": TYPES[path.extname(file).slice(1)] ?? "application/octet-stream", ...more };
  for (const route of phases.hit ?? []) if (route.pattern.test(uri)) for (const [name, value] of Object.entries(route.headers)) headers[name.toLowerCase()] = value;
  const { mtimeMs, size } = fs.statSync(file);
  headers.etag = `"${mtimeMs.toString(16)}-${size}"`;
  if (status === 200 && incoming.headers["if-none-match"] === headers.etag) return { status: 304, headers, body: "" };
  return { status, headers, body: fs.readFileSync(file) };
};
const UNREACHED = { headers: { "content-type": "text/plain" }, body: "ROUTER_EXTERNAL_TARGET_CONNECTION_ERROR" };

const answered = async (incoming, body) => {
  const [uri, search] = incoming.url.split(/\?(.*)/s);
  const query = new URLSearchParams(search);
  const found = sent(decodeURIComponent(uri), 200, {}, incoming);
  if (found) return found;
  const { route, dest } = first("filesystem", uri, query);
  if (route?.status === 301) return { status: 301, headers: route.headers, body: "" };
  if (dest?.startsWith("http")) return proxied(incoming, dest + (search === undefined ? "" : `?${search}`), body, UNREACHED);
  const answer = dest && sent(dest, route.status ?? 200, {}, incoming);
  if (answer) return answer;
  const error = first("error", uri, query);
  return sent(error.dest, error.route.status, {}, incoming);
};

http.createServer((incoming, outgoing) => {
  const parts = [];
  incoming.on("data", (part) => parts.push(part)).on("end", async () => {
    const { status, headers, body } = await answered(incoming, Buffer.concat(parts));
    delete headers["transfer-encoding"];
    outgoing.writeHead(status, { ...headers, ...(status === 304 ? {} : { "content-length": Buffer.byteLength(body) }) });
    outgoing.end(incoming.method === "HEAD" || status === 304 ? undefined : body);
  });
}).listen(Number(port), "127.0.0.1");
