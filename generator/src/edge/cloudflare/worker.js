// Answers the API's routes on Cloudflare Pages. FACTS stands above; it is written with every build.
//
// Pages' own _redirects do not see a query, so `?state=CA` would be answered with the whole list. Here a list
// is answered from its file when the query is simple: no filter, or a known state. Everything else goes to
// live, which knows the whole contract.

export default {
  async fetch(request, environment) {
    const url = new URL(request.url);
    const path = url.pathname.length > 1 && url.pathname.endsWith("/") ? url.pathname.slice(0, -1) : url.pathname;
    if (FACTS.live.paths.includes(path)) return live(request, url);
    if (FACTS.fhir !== null && path.startsWith(FACTS.fhir)) {
      return (await file(request, environment, path)) ?? live(request, url);
    }
    if (!path.startsWith("/v1/")) return (await file(request, environment, path)) ?? failure(FACTS.notFound);
    if (request.method !== "GET" && request.method !== "HEAD") return live(request, url, FACTS.methodNotAllowed);
    const list = FACTS.lists[path];
    if (list !== undefined) {
      const target = fileOfList(list, url.search.slice(1));
      return (target && (await file(request, environment, target))) ?? live(request, url);
    }
    const slug = path.startsWith(FACTS.profiles) ? path.slice(FACTS.profiles.length) : "";
    if (Object.hasOwn(FACTS.moved, slug)) return moved(FACTS.profiles + FACTS.moved[slug]);
    if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) {
      return (await file(request, environment, `${path}.json`)) ?? live(request, url);
    }
    return (await file(request, environment, path)) ?? live(request, url);
  },
};

/** A file of the tree with the headers of its path; null where there is none. */
async function file(request, environment, path) {
  const found = await environment.ASSETS.fetch(new Request(new URL(path, request.url), request));
  if (found.status !== 200 && found.status !== 304) return null;
  const response = new Response(found.status === 304 ? null : found.body, found);
  dress(response.headers, path);
  return response;
}

/**
 * What live answers. Where there is no live, or it cannot be reached, the answer is a JSON error.
 *
 * Cloudflare keeps catalog answers. It keeps no availability: an old answer would offer times that are no longer
 * open. A kept answer has no request id, since that would be the first request's.
 */
async function live(request, url, otherwise = FACTS.notFound) {
  if (FACTS.live.url === null) return failure(otherwise);
  const sent = new Request(FACTS.live.url + url.pathname + url.search, request);
  const isKept = isCatalog(url.pathname);
  try {
    const answer = await fetch(sent, { redirect: "manual", cf: isKept ? { cacheEverything: true } : {} });
    if (isFromAnotherServer(answer)) return failure(FACTS.unreachable);
    if (!isKept) return answer;
    const response = new Response(answer.body, answer);
    response.headers.delete("X-Request-Id");
    return response;
  } catch {
    return failure(FACTS.unreachable);
  }
}

function isCatalog(path) {
  const plain = path.replaceAll(/\/+$/g, "");
  return path.startsWith("/v1/") && !FACTS.live.paths.includes(plain);
}

/**
 * Whether this is an error that live did not send. If live does not answer, Cloudflare sends a page with a
 * status of 520 to 530, which only it uses, or a proxy sends a page. Live's errors are JSON.
 */
function isFromAnotherServer(answer) {
  const type = (answer.headers.get("Content-Type") ?? "").split(";")[0].trim().toLowerCase();
  return (answer.status >= 520 && answer.status <= 530) || (answer.status >= 500 && type !== "application/json");
}

function moved(location) {
  const response = new Response(null, { status: 301, headers: { Location: location } });
  dress(response.headers, location);
  return response;
}

function failure({ status, body, headers }) {
  const response = new Response(body, { status });
  dress(response.headers, "/v1/");
  response.headers.set("Content-Type", "application/json");
  response.headers.set("Cache-Control", "no-store");
  for (const [name, value] of headers) response.headers.set(name, value);
  return response;
}

function dress(headers, path) {
  for (const [pattern, rules] of FACTS.headers) {
    const matches = pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
    if (matches) for (const [name, value] of rules) headers.set(name, value);
  }
}
