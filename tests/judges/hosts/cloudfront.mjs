// Serves a tree as a bucket behind CloudFront would, by CloudFront's documents: the functions of _s3/ run as there, and the
// origins "bucket" and "live" answer. Usage: node cloudfront.mjs TREE PORT LIVE
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import vm from "node:vm";
import { proxied } from "./live.mjs";

const [tree, port, live] = process.argv.slice(2);
const TYPES = { html: "text/html", css: "text/css", js: "text/javascript", json: "application/json", xml: "application/xml", txt: "text/plain", svg: "image/svg+xml", png: "image/png", jpg: "image/jpeg", webp: "image/webp", woff2: "font/woff2" };
let origin;
const cf = { selectRequestOriginById: (id) => { origin = id; } };

/** A function of CloudFront: at most 10 KB of JavaScript without what its runtime does not know. */
const loaded = (name) => {
  const code = fs.readFileSync(path.join(tree, "_s3", name), "utf8");
  if (Buffer.byteLength(code) > 10240) throw new Error(`${name} is larger than 10 KB`);
  const unknown = /\.\.\.|\?\.|\?\?|\bfor \(const \w+ of\b|\bclass \b|(?:const|let) [[{]|\bnew (?:Map|Set)\b/.exec(code);
  if (unknown) throw new Error(`${name}: CloudFront's runtime does not know ${unknown[0]}`);
  return vm.runInNewContext(`${code.replace('import cf from "cloudfront";', "")}; handler`, { cf });
};
const [onRequest, onResponse] = ["request.js", "response.js"].map(loaded);

const fields = (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), { value: String(value) }]));
const flat = (headers) => Object.fromEntries(Object.entries(headers).map(([name, { value }]) => [name, value]));

/** S3: an object, or 403 to those who may not list the bucket. */
const fromBucket = (uri, headers) => {
  const file = path.join(tree, decodeURIComponent(uri));
  if (uri.startsWith("/_") || !fs.existsSync(file) || !fs.statSync(file).isFile()) return { status: 403, headers: { "content-type": "application/xml" }, body: "<Error/>" };
  const { mtimeMs, size } = fs.statSync(file);
  const etag = `"${mtimeMs.toString(16)}-${size}"`;
  if (headers["if-none-match"] === etag) return { status: 304, headers: { etag }, body: "" };
  return { status: 200, headers: { etag, "content-type": TYPES[path.extname(file).slice(1)] ?? "binary/octet-stream" }, body: fs.readFileSync(file) };
};

/** A live service. What CloudFront cannot reach, it answers for. */
const fromLive = (incoming, target, body) =>
  proxied(incoming, live + target, body, { headers: { "content-type": "text/html" }, body: "<html>502 ERROR</html>" });

const answered = async (incoming, body) => {
  const [uri, query] = incoming.url.split(/\?(.*)/s);
  // Behaviors of the distribution without functions and without a cache.
  if (/^\/(?:v1\/availability\/?|api\/mcp)$/.test(uri)) return fromLive(incoming, incoming.url, body);
  origin = "bucket";
  const given = { method: incoming.method, uri, headers: fields(incoming.headers), querystring: { given: query }, rawQueryString: () => query };
  const request = onRequest({ request: given });
  if (request.statusCode) return { status: request.statusCode, headers: flat(request.headers), body: request.body ?? "" };
  const search = query === undefined || !request.querystring.given ? "" : `?${query}`;
  const answer = origin === "live" ? await fromLive(incoming, request.uri + search, body) : fromBucket(request.uri, incoming.headers);
  // The distribution's only custom error response.
  if (answer.status === 403) Object.assign(answer, fromBucket("/404.html", {}), { status: 404 });
  if (answer.status >= 400 && answer.status !== 404) return answer;
  const response = { statusCode: answer.status, headers: fields(answer.headers) };
  return { ...answer, headers: flat(onResponse({ request, response }).headers) };
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
