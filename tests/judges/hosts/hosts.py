#!/usr/bin/env python3
"""One suite for every host: live alone, nginx, Caddy, Netlify (netlify dev), Cloudflare Pages (wrangler). CloudFront and Vercel
cannot run here: cloudfront.mjs and vercel.mjs follow their documents.

Each host is asked the same questions; what is right comes from the contract (statuses, headers) and from
`nameplate query` (bodies). Then the feed of live expires: the host must pass live's 503 on and show no open
times that it kept. Then live is killed and the host is asked again: what is static must still be answered,
what is not must be a JSON error, availability that was asked before included. What nginx alone has rules for is in
nginx_rules.py.

    hosts.py --nameplate BINARY --logs FOLDER [--netlify PROGRAM] [--wrangler PROGRAM] [--node PROGRAM] live nginx …

One line for each host; what was wrong stands beneath. Exit 0 all right, 1 something wrong, 3 a host's program
is not there. Standard library only; servers listen on loopback and are stopped by their process ids.
"""

import argparse
import contextlib
import gzip
import json
import os
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import nginx_rules
from servers import SLOTS, Missing, Product, ask, free_port, nginx, running, stop, wait_for_answers

CATALOG, MINUTE, ANY = "public, max-age=300", "public, max-age=60", None
NDJSON, RESOURCE = "application/fhir+ndjson", "application/fhir+json"
# What of the export for healthcare's readers changes with the clock: it is live's, as availability is.
FHIR_SLOTS = ("/fhir/$bulk-publish", "/fhir/slots/2026-11-23.ndjson")

# What a host's program cannot do whatever its rules say; each is counted and reported, never silently passed.
KNOWN = {
    "netlify": {
        "cache class": "netlify dev writes its own Cache-Control over that of _headers (its static-server.js)",
        "type of /api/mcp/server-card": "netlify dev sets a file's type by its extension, despite _headers",
        "type of /.well-known/api-catalog": "netlify dev sets a file's type by its extension, despite _headers",
        "error of live": "a proxy rule of Netlify answers for a dead upstream in its own words",
        f"type of files of {NDJSON}": "netlify dev sets a file's type by its extension, despite _headers",
    },
    "s3": {"error of live": "CloudFront answers for a dead origin in its own words"},
    "vercel": {"error of live": "Vercel answers for a dead origin in its own words"},
    "cloudflare": {
        f"encoding of {NDJSON}": "miniflare passes live's gzip on to who does not take it, if Cloudflare would not"
        " compress that type (its ensureAcceptableEncoding)",
    },
}


# A feed whose publisher is never there: live answers no availability.
EXPIRED = '[feed]\nurl = "http://127.0.0.1:1/$bulk-publish"\nmode = "busy"\n'


def questions(dist):
    """(target, status, cache class, whether the host answers it without live)."""
    slugs = sorted(path.stem for path in (dist / "v1/providers").glob("*.json"))
    rows = [(f"/v1/{name}", 200, CATALOG, True)
            for name in ("states", "insurances", "appointment-types", "providers", "states/", "providers/")]
    for name in ("insurances", "appointment-types", "providers"):
        for state in ("CA", "ca", "California", "NY", "PR"):
            rows.append((f"/v1/{name}?state={state}", 200, CATALOG, True))
        rows += [(f"/v1/{name}?state=New%20York", 200, CATALOG, False),
                 (f"/v1/{name}?state=%20tExAs+", 200, CATALOG, False),
                 (f"/v1/{name}?state=XX", 400, ANY, False),
                 (f"/v1/{name}?state=CA&state=TX", 200, CATALOG, False),
                 (f"/v1/{name}?utm_source=mail", 200, CATALOG, True)]
    rows += [(f"/v1/providers/{slug}", 200, CATALOG, True) for slug in slugs]
    rows += [
        ("/v1/providers/nobody-here", 404, ANY, False),
        ("/v1/providers?state=CA&limit=3", 200, CATALOG, False),
        ("/v1/providers?gender=FEMALE&providerType=Physician&limit=2&offset=1", 200, CATALOG, False),
        ("/v1/providers?insurance=nothing", 400, ANY, False),
        ("/v1/providers?limit=x", 400, ANY, False),
        ("/v1/availability?state=AZ&limit=5", 200, MINUTE, False),
        ("/v1/availability?state=new+york&appointmentType=101&horizonDays=99", 200, MINUTE, False),
        ("/v1/availability?state=ZZ", 400, ANY, False),
        ("/v1/availability", 400, ANY, False),
        ("/v1/availability?state=CA&provider=nobody", 404, ANY, False),
    ]
    return rows


def fhir_questions(dist):
    """(target, type, cache class, whether the host answers it without live), if the clinic has the export."""
    files = sorted(dist.glob("fhir/*.ndjson"))
    rows = [(f"/fhir/{file.name}", NDJSON, CATALOG, True) for file in files]
    if rows:
        rows += [(target, NDJSON if "slots" in target else "application/json", MINUTE, False) for target in FHIR_SLOTS]
        rows += [(f"/fhir/{name}", RESOURCE, CATALOG, False) for name in ("metadata", "Location/CA", "Organization/organization")]
    return rows


class Suite:
    def __init__(self, host, product, dist, port):
        self.host, self.product, self.dist, self.port = host, product, dist, port
        self.known, self.limits = KNOWN.get(host, {}), set()
        self.wrong, self.asked = [], 0

    def expect(self, target, what, right, seen):
        if right == seen:
            return
        if what in self.known:
            self.limits.add(what)
        else:
            self.wrong.append(f"{target}: {what} should be {right!r}, is {seen!r}")

    def json(self, target, reply, status):
        self.asked += 1
        self.expect(target, "status", status, reply.status)
        self.expect(target, "type", "application/json", (reply.has("content-type") or "").split(";")[0])
        self.expect(target, "CORS", "*", reply.has("access-control-allow-origin"))
        self.expect(target, "nosniff", "nosniff", reply.has("x-content-type-options"))

    def alive(self):
        rows = questions(self.dist)
        with ThreadPoolExecutor() as pool:
            list(pool.map(self.product.body, (target for target, *_ in rows)))
        for target, status, caching, _ in rows:
            reply = ask(self.port, target)
            self.json(target, reply, status)
            self.expect(target, "body", self.product.body(target), reply.body)
            if caching:
                seen = reply.has("cache-control") or ""
                self.expect(target, "cache class", True, seen.startswith(caching) or seen)
                self.expect(target, "Nameplate-Generation", True, bool(reply.has("nameplate-generation")))
                self.again(target, reply)
        self.changes("")
        self.others()
        self.fhir()

    def changes(self, when):
        """The tree lists what changed, with and without live."""
        # The service alone has no files.
        files = [] if self.host == "live" else ["/v1/changes.json"]
        for target in ("/v1/changes", "/v1/changes/", "/v1/changes?since=yesterday", *files):
            place, reply = when + target, ask(self.port, target)
            self.json(place, reply, 200)
            self.expect(place, "body", (self.dist / "v1/changes.json").read_bytes(), reply.body)
            self.expect(place, "cache class", True, (reply.has("cache-control") or "").startswith(CATALOG))

    def fhir(self, live=True):
        """The export: whatever its host knows of types, each file has its own, and the bytes are live's."""
        questions = fhir_questions(self.dist)
        for target, kind, caching, static in questions:
            if not (live or static):
                continue
            reply = ask(self.port, target)
            right = ask(self.product.live_port, target).body if live else (self.dist / target[1:]).read_bytes()
            place = target if live else f"without live: {target}"
            self.asked += 1
            self.expect(place, "status", 200, reply.status)
            what = f"type of files of {kind}" if static else "type"
            self.expect(place, what, kind, (reply.has("content-type") or "").split(";")[0])
            self.expect(place, "CORS", "*", reply.has("access-control-allow-origin"))
            encoding = reply.has("content-encoding")
            self.expect(place, f"encoding of {kind}", None, encoding)
            self.expect(place, "body", right, gzip.decompress(reply.body) if encoding == "gzip" else reply.body)
            seen = reply.has("cache-control") or ""
            self.expect(place, "cache class", True, seen.startswith(caching) or seen)
            if live:
                self.again(target, reply)
        if live and questions:
            for target in ("/fhir/", "/fhir/Nothing.ndjson", "/fhir/slots/2020-01-01.ndjson", "/fhir/Practitioner/nobody"):
                self.json(target, ask(self.port, target), 404)

    def open_times(self):
        """What must never be shown when no one vouches for it."""
        return [*SLOTS, *(FHIR_SLOTS if fhir_questions(self.dist) else ())]

    def again(self, target, first):
        """A kept answer is confirmed without a body, and HEAD gives GET's head."""
        tag = first.has("etag")
        self.expect(target, "ETag", True, bool(tag))
        second = ask(self.port, target, headers={"If-None-Match": tag or '"none"'})
        self.expect(target, "status with If-None-Match", 304, second.status)
        self.expect(target, "body of the 304", b"", second.body)
        other = ask(self.port, target, headers={"If-None-Match": '"another"'})
        self.expect(target, "status with another tag", 200, other.status)
        head = ask(self.port, target, method="HEAD")
        self.expect(target, "status of HEAD", 200, head.status)
        self.expect(target, "body of HEAD", b"", head.body)
        self.expect(target, "type of HEAD", first.has("content-type"), head.has("content-type"))

    def others(self):
        moved = ask(self.port, "/v1/providers/hannah-whitfield")
        self.asked += 1
        self.expect("former slug", "status", 301, moved.status)
        self.expect("former slug", "place", "/v1/providers/hannah-whitfield-moss",
                    urlsplit(moved.has("location") or "").path)
        for target in ("/v1/nothing", "/v1/", "/api/sse", "/api/else", "/.well-known/oauth-protected-resource",
                       "/.well-known/oauth-authorization-server"):
            reply = ask(self.port, target)
            self.json(target, reply, 404)
            with contextlib.suppress(ValueError):
                self.expect(target, "code", "NOT_FOUND", json.loads(reply.body).get("code"))
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_states", "arguments": {}}}
        host = urlsplit(f"http://127.0.0.1:{self.port}").netloc
        reply = ask(self.port, "/api/mcp", "POST", {
            "Host": host, "Content-Type": "application/json", "Accept": "application/json, text/event-stream"},
            json.dumps(call))
        self.asked += 1
        self.expect("/api/mcp", "status", 200, reply.status)
        self.expect("/api/mcp", "type", "text/event-stream", (reply.has("content-type") or "").split(";")[0])
        with contextlib.suppress(ValueError, KeyError, IndexError):
            event = json.loads(reply.body.decode().split("data: ", 1)[1])
            self.expect("/api/mcp", "text", self.product.body("/v1/states").decode(),
                        event["result"]["content"][0]["text"])

    def pages(self):
        for target in ("/", "/docs", "/providers/maria-de-la-vega"):
            reply = ask(self.port, target)
            self.asked += 1
            self.expect(target, "status", 200, reply.status)
            self.expect(target, "type", "text/html", (reply.has("content-type") or "").split(";")[0])
            self.expect(target, "a policy", True, bool(reply.has("content-security-policy")))
        for target, kind in {
            "/api/mcp/server-card": "application/mcp-server-card+json",
            "/.well-known/ard.json": "application/json",
            "/.well-known/ai-catalog.json": "application/json",
            "/.well-known/api-catalog": "application/linkset+json",
            "/.well-known/security.txt": "text/plain",
            "/server.json": "application/json",
            "/v1/openapi.json": "application/json",
            "/v1/providers/summary.json": "application/json",
            "/assets/clinicians.json": "application/json",
            "/changes.atom": "application/atom+xml",
            "/index.md": "text/markdown",
            "/providers/maria-de-la-vega.md": "text/markdown",
        }.items():
            reply = ask(self.port, target)
            self.asked += 1
            self.expect(target, "status", 200, reply.status)
            self.expect(target, f"type of {target}", kind, (reply.has("content-type") or "").split(";")[0])
        for target, link in (("/", 'rel="ard"'), ("/.well-known/api-catalog", 'rel="api-catalog"')):
            self.expect(target, "a link", True, link in (ask(self.port, target, "HEAD").has("link") or ""))
        lost = ask(self.port, "/no/such/page")
        self.asked += 1
        self.expect("/no/such/page", "status", 404, lost.status)
        self.expect("/no/such/page", "type", "text/html", (lost.has("content-type") or "").split(";")[0])

    def expired(self):
        """The feed has expired. What live says of that is passed on; no answer of before is shown."""
        for target in self.open_times():
            place, reply, right = f"expired feed: {target}", ask(self.port, target), ask(self.product.live_port, target)
            self.json(place, reply, 503)
            self.expect(place, "body", right.body, reply.body)
            self.expect(place, "code", True, b'"AVAILABILITY_UNAVAILABLE"' in reply.body)
            for name, value in (("retry-after", "60"), ("cache-control", "no-store")):
                self.expect(place, name, value, reply.has(name))

    def dead_availability(self):
        """Live is gone, and with it all open times: a question of before is a JSON error that may not be kept."""
        for target in self.open_times():
            place, reply = f"without live: {target}", ask(self.port, target)
            self.asked += 1
            self.expect(place, "slots", False, any(word in reply.body for word in (b'"slots"', b'"Slot"', b'"output"')))
            self.expect(place, "error of live", (503, "application/json", "*", "no-store"), (
                reply.status, (reply.has("content-type") or "").split(";")[0],
                reply.has("access-control-allow-origin"), reply.has("cache-control")))

    def dead(self):
        """Live is gone. What the host kept may still be shown; what it never saw must be a JSON error."""
        self.changes("without live: ")
        for target, status, caching, static in questions(self.dist):
            if static and caching:
                reply = ask(self.port, target)
                self.json(f"without live: {target}", reply, status)
                self.expect(f"without live: {target}", "body", self.product.body(target), reply.body)
        for target in ("/v1/availability?state=AZ&limit=7", "/v1/providers?limit=7", "/v1/providers?state=CA&limit=9"):
            reply = ask(self.port, target)
            self.asked += 1
            self.expect(f"without live: {target}", "a 5xx", True, reply.status >= 500 or reply.status)
            try:
                members = sorted(json.loads(reply.body))
            except ValueError:
                members = reply.body[:80]
            self.expect(f"without live: {target}", "error of live", ["code", "message"], members)


@contextlib.contextmanager
def netlify(product, dist, port, tools, log):
    if not tools.netlify:
        raise Missing("netlify-cli")
    site = product.folder / "netlify"
    site.mkdir()
    shutil.copytree(dist, site / "dist")
    environment = {**os.environ, "NETLIFY_TELEMETRY_DISABLED": "1", "CI": "1", "NO_UPDATE_NOTIFIER": "1"}
    command = [str(tools.netlify), "dev", "--offline", "--internal-disable-edge-functions", "--no-open", "--dir", "dist",
               "--port", str(port)]
    with running(command, log, port, cwd=site, env=environment):
        wait_for_answers(port)
        yield


@contextlib.contextmanager
def cloudflare(product, dist, port, tools, log):
    if not (tools.wrangler and tools.node):
        raise Missing("wrangler, with Node 22,")
    environment = {**os.environ, "PATH": f"{tools.node.parent}:{os.environ['PATH']}",
                   "WRANGLER_SEND_METRICS": "false", "CI": "1", "HOME": str(product.folder)}
    command = [str(tools.node), str(tools.wrangler), "pages", "dev", str(dist), "--ip", "127.0.0.1", "--port", str(port),
               "--compatibility-date", "2026-05-01", "--inspector-port", str(free_port())]
    with running(command, log, port, cwd=product.folder, env=environment):
        wait_for_answers(port)
        yield


@contextlib.contextmanager
def caddy(product, dist, port, _tools, log):
    program = shutil.which("caddy")
    if not program:
        raise Missing("caddy")
    at = product.folder / "Caddyfile"
    at.write_text(f"{{\nadmin off\nauto_https off\n}}\nhttp://127.0.0.1:{port}, http://localhost:{port} {{\nbind 127.0.0.1\nroot * {dist}\n"
                  f"import {dist}/_caddy/site.caddy\n}}\n")
    environment = {**os.environ, "HOME": str(product.folder), "XDG_DATA_HOME": str(product.folder), "XDG_CONFIG_HOME": str(product.folder)}
    with running([program, "run", "--adapter", "caddyfile", "--config", at], log, port, env=environment):
        yield


def as_documented(script):
    """A host that cannot run here: its documented rules, in a script of ours."""

    @contextlib.contextmanager
    def host(product, dist, port, _tools, log):
        if not shutil.which("node"):
            raise Missing("node")
        live = f"http://127.0.0.1:{product.live_port}"
        with running(["node", Path(__file__).parent / script, dist, str(port), live], log, port):
            yield

    return host


s3, vercel = as_documented("cloudfront.mjs"), as_documented("vercel.mjs")
HOSTS = {"nginx": nginx, "caddy": caddy, "netlify": netlify, "cloudflare": cloudflare, "s3": s3, "vercel": vercel}


def judge(name, tools, root):
    log = tools.logs / f"host-{name}.log"
    log.write_bytes(b"")
    with tempfile.TemporaryDirectory() as folder:
        product = Product(tools.nameplate, Path(folder), root)
        with contextlib.ExitStack() as stack:
            live = stack.enter_context(product.live(log))
            if name == "live":
                suite = Suite(name, product, product.build("nginx"), product.live_port)
                suite.alive()
                return suite
            dist, port = product.build(name), free_port()
            stack.enter_context(HOSTS[name](product, dist, port, tools, log))
            suite = Suite(name, product, dist, port)
            suite.alive()
            suite.pages()
            stop(live)
            live = stack.enter_context(product.live(log, EXPIRED))
            suite.expired()
            stop(live)
            suite.dead()
            suite.fhir(live=False)
            suite.dead_availability()
        if name == "nginx":
            nginx_rules.judge(suite, log)
        return suite


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    place = lambda path: Path(path).resolve()
    parser.add_argument("--nameplate", required=True, type=place)
    parser.add_argument("--logs", required=True, type=place)
    for tool in ("--netlify", "--wrangler", "--node"):
        parser.add_argument(tool, type=place)
    parser.add_argument("hosts", nargs="+", choices=["live", *HOSTS])
    given = parser.parse_args()
    root = Path(__file__).resolve().parents[3]
    code = 0
    for name in given.hosts:
        try:
            suite = judge(name, given, root)
        except Missing as missing:
            print(f"{name}: SKIPPED, {missing} is not installed")
            code = code or 3
            continue
        print(f"{name}: {'right' if not suite.wrong else 'WRONG'}, {suite.asked} questions, {len(suite.wrong)} differences")
        for limit in sorted(suite.limits):
            print(f"  known limit of this host, {limit}: {suite.known[limit]}")
        for line in suite.wrong[:40]:
            print(f"  {line[:300]}")
        code = 1 if suite.wrong else code
    return code


if __name__ == "__main__":
    sys.exit(main())
