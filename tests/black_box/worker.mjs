// Runs a built _worker.js as Cloudflare Pages would, over the tree beside it, and prints where requests go.
// Usage: node worker.mjs WORKER TREE REQUEST…
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [file, tree, ...requests] = process.argv.slice(2);
const { default: worker } = await import(pathToFileURL(file));
const ASSETS = {
  async fetch(request) {
    const asset = path.join(tree, new URL(request.url).pathname);
    const isFile = fs.existsSync(asset) && fs.statSync(asset).isFile();
    return isFile ? new Response(fs.readFileSync(asset)) : new Response("", { status: 404 });
  },
};
// Live, by the number that a request's query may name: an answer of its own, or what stands before it answers.
const LIVE = {
  521: () => new Response("<html>Web server is down</html>", { status: 521, headers: { "Content-Type": "text/html" } }),
  530: () => new Response('{"error":"origin"}', { status: 530, headers: { "Content-Type": "application/json" } }),
  502: () => new Response("<html>Bad gateway</html>", { status: 502, headers: { "Content-Type": "text/html" } }),
  503: () => new Response('{"code":"AVAILABILITY_UNAVAILABLE","message":"availability is unknown"}', {
    status: 503,
    headers: { "Content-Type": "application/json", "Retry-After": "60", "Cache-Control": "no-store" },
  }),
  dead: () => {
    throw new Error("dead");
  },
};
globalThis.fetch = async (request, options) => {
  const url = new URL(request.url);
  const answer = LIVE[url.searchParams.get("live")];
  if (answer) return answer();
  const kept = options.cf.cacheEverything ? "kept" : "not kept";
  return new Response(`live ${url.pathname} ${kept}`, { headers: { "X-Request-Id": "first" } });
};
for (const target of requests) {
  const response = await worker.fetch(new Request(`https://site.example${target}`), { ASSETS });
  const body = response.headers.get("location") ?? (await response.text());
  const field = (name) => response.headers.get(name) ?? "none";
  const fields = ["access-control-allow-origin", "retry-after", "cache-control", "x-request-id"].map(field);
  console.log(JSON.stringify([target, response.status, body, ...fields]));
}
