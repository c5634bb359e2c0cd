// Runs before CloudFront looks into its cache. The bucket is the distribution's default origin, and live is its origin "live".

function handler(event) {
  const request = event.request;
  const path = request.uri.length > 1 ? request.uri.replace(/\/$/, "") : request.uri;
  const last = path.slice(path.lastIndexOf("/") + 1);
  const above = path.slice(0, path.length - last.length);
  if (FACTS.live.paths.includes(path)) return live(request, FACTS.notFound);
  if (above.endsWith("/providers/") && FACTS.moved !== null && has(FACTS.moved, last)) return moved(above + FACTS.moved[last]);
  if (`${path}/`.startsWith("/v1/")) return ofApi(request, path, last);
  if (FACTS.fhir !== null && `${path}/`.startsWith(FACTS.fhir)) {
    return FACTS.files.includes(path) ? object(request, path) : live(request, FACTS.notFound);
  }
  if (/^\/(api|\.well-known)\//.test(`${path}/`)) {
    return FACTS.files.includes(path) ? object(request, path) : failure(FACTS.notFound);
  }
  if (path === "/") return object(request, "/index.html");
  return object(request, last.includes(".") ? path : `${path}.html`);
}

function ofApi(request, path, last) {
  if (request.method !== "GET" && request.method !== "HEAD") return live(request, FACTS.methodNotAllowed);
  if (has(FACTS.lists, path)) {
    const file = fileOfList(FACTS.lists[path], request.rawQueryString() || "");
    return file === null ? live(request, FACTS.notFound) : object(request, file);
  }
  const slug = last.replace(/\.json$/, "");
  // The file of a list may lie among the profiles.
  if (path === FACTS.profiles + last && !has(FACTS.lists, FACTS.profiles + slug)) {
    const isFile = FACTS.slugs === null ? slug !== last || FACTS.live.url === null : FACTS.slugs.split(" ").includes(slug);
    return isFile ? object(request, `${FACTS.profiles}${slug}.json`) : live(request, FACTS.notFound);
  }
  return last.includes(".") ? object(request, path) : live(request, FACTS.notFound);
}

function object(request, path) {
  request.uri = path;
  request.querystring = {};
  return request;
}

function live(request, otherwise) {
  if (FACTS.live.url === null) return failure(otherwise);
  cf.selectRequestOriginById("live");
  return request;
}

function moved(location) {
  return { statusCode: 301, statusDescription: "Moved Permanently", headers: dressed({ location: { value: location } }) };
}

function failure(answer) {
  const headers = dressed({ "content-type": { value: "application/json" } });
  headers["cache-control"] = { value: "no-store" };
  answer.headers.forEach((field) => { headers[field[0].toLowerCase()] = { value: field[1] }; });
  return { statusCode: answer.status, statusDescription: "Error", headers: headers, body: answer.body };
}

function dressed(headers) {
  FACTS.headers.forEach((rule) => rule[1].forEach((field) => { headers[field[0].toLowerCase()] = { value: field[1] }; }));
  return headers;
}
