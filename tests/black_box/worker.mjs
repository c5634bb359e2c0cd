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
globalThis.fetch = async (request) => {
  if (request.url.includes("dead")) throw new Error("dead");
  return new Response(`live ${new URL(request.url).pathname}`);
};
for (const target of requests) {
  const response = await worker.fetch(new Request(`https://site.example${target}`), { ASSETS });
  const told = response.headers.get("location") ?? (await response.text());
  const cors = response.headers.get("access-control-allow-origin") ?? "none";
  console.log(JSON.stringify([target, response.status, told, cors]));
}
