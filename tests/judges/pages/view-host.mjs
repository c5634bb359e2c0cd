// A host of MCP Apps for the judges of the view: the package's own bridge in a page, and the view in a frame of another
// origin, under the policy that the resource declares.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { join, normalize } from "node:path";

/** Where the browser finds the packages that the bridge imports. */
const IMPORTS = {
  "@modelcontextprotocol/ext-apps/app-bridge": "/m/@modelcontextprotocol/ext-apps/dist/src/app-bridge.js",
  "@modelcontextprotocol/client": "/m/@modelcontextprotocol/client/dist/index.mjs",
  "@modelcontextprotocol/client/_shims": "/m/@modelcontextprotocol/client/dist/shimsBrowser.mjs",
  "@modelcontextprotocol/core": "/m/@modelcontextprotocol/core/dist/index.mjs",
  "@modelcontextprotocol/core/internal": "/m/@modelcontextprotocol/core/dist/internal.mjs",
  "zod/v4": "/m/zod/v4/index.js",
  eventsource: "/m/eventsource/dist/index.js",
  "eventsource-parser": "/m/eventsource-parser/dist/index.js",
  "eventsource-parser/stream": "/m/eventsource-parser/dist/stream.js",
  "pkce-challenge": "/m/pkce-challenge/dist/index.browser.js",
};

const PAGE = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A host</title>
<style>body { margin: 0 } iframe { display: block; width: 100%; height: 900px; border: 0 }</style>
<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script></head>
<body><iframe title="The view" id="frame"></iframe><script type="module">
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
const frame = document.getElementById("frame");
globalThis.received = [];
globalThis.sizes = [];
addEventListener("message", ({ data, source }) => source === frame.contentWindow && received.push(data));

globalThis.begin = ({ sandbox, html, csp, capabilities, context, refuses }) => new Promise((resolve) => {
  const bridge = globalThis.bridge = new AppBridge(null, { name: "judge", version: "1.0.0" }, capabilities, { hostContext: context });
  bridge.oncalltool = ({ name, arguments: given }) => refuses ? Promise.reject(new Error("denied")) : callTool(name, given ?? {});
  bridge.onopenlink = async () => (refuses ? { isError: true } : {});
  bridge.onmessage = async () => (refuses ? { isError: true } : {});
  bridge.onupdatemodelcontext = async () => ({});
  bridge.onsizechange = ({ height }) => { sizes.push(height); frame.style.height = height + "px"; };
  bridge.onsandboxready = () => bridge.sendSandboxResourceReady({ html, csp });
  bridge.oninitialized = () => resolve();
  const connected = bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  connected.then(() => { frame.src = sandbox; });
});
globalThis.isReady = true;
</script></body></html>`;

const SANDBOX = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A sandbox</title>
<style>html, body, iframe { margin: 0; width: 100%; height: 100%; border: 0; display: block }</style></head><body><script>
const inner = document.createElement("iframe");
inner.title = "Inner frame";
inner.sandbox = "allow-scripts allow-same-origin";
document.body.append(inner);
addEventListener("message", ({ source, data }) => {
  if (source === inner.contentWindow) parent.postMessage(data, "*");
  else if (data.method === "ui/notifications/sandbox-resource-ready") inner.srcdoc = data.params.html;
  else if (source === parent) inner.contentWindow.postMessage(data, "*");
});
parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/sandbox-proxy-ready", params: {} }, "*");
</script></body></html>`;

const listen = (handler) => new Promise((resolve) => {
  const server = createServer(handler).listen(0, "127.0.0.1", () => resolve({ server, origin: `http://127.0.0.1:${server.address().port}` }));
});

/** The servers of the host and of its sandbox, whose frames inherit the policy. */
export const serve = async (modules) => {
  const host = await listen(async (request, response) => {
    if (!request.url.startsWith("/m/")) return response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(PAGE);
    const text = await readFile(join(modules, normalize(request.url.slice(2)))).catch(() => null);
    response.writeHead(text ? 200 : 404, { "content-type": "text/javascript" }).end(text ?? "");
  });
  const sandbox = await listen((request, response) => {
    const { resourceDomains: images = [], connectDomains: connects = [] } = JSON.parse(new URL(request.url, "http://sandbox").searchParams.get("csp"));
    const policy = `default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data: ${images.join(" ")}; connect-src ${connects.join(" ") || "'none'"}; frame-src 'self'; object-src 'none'; base-uri 'self'`;
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": policy }).end(SANDBOX);
  });
  const close = () => {
    for (const { server } of [host, sandbox]) {
      server.closeAllConnections();
      server.close();
    }
  };
  return { host: host.origin, sandbox: (csp) => `${sandbox.origin}/?csp=${encodeURIComponent(JSON.stringify(csp))}`, close };
};
