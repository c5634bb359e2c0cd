// A live service behind an emulated host.

import http from "node:http";

/** Asks the live service. `failed` is the host's own answer where it cannot be reached. */
export const proxied = (incoming, address, body, failed) => new Promise((done) => {
  const headers = { ...incoming.headers, host: new URL(address).host, "accept-encoding": "identity" };
  const request = http.request(address, { method: incoming.method, headers }, (answer) => {
    const parts = [];
    answer.on("data", (part) => parts.push(part)).on("end", () => done({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) }));
  });
  request.on("error", () => done({ status: 502, ...failed }));
  request.end(body);
});
