"""What only the rules of nginx do: certificates, HTTPS, limits for one address, restarts of live."""

import contextlib
import http.client
import json
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from servers import SLOTS, Product, ask, free_port, nginx, stop

ROOT = Path(__file__).resolve().parents[3]
CALL = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_states", "arguments": {}}})
MCP = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


def judge(suite, log):
    if not shutil.which("openssl"):
        suite.wrong.append("openssl is not installed: install it, since the checks of HTTPS need a certificate")
        return
    with tempfile.TemporaryDirectory() as folder:
        https(suite, log, Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        restarts(suite, log, Path(folder))
    certificates(suite, log)


class Impostor(BaseHTTPRequestHandler):
    """Answers every question."""

    def do_GET(self):
        body = b'{"impostor":true}'
        self.send_response(200)
        for name, value in (("Content-Type", "application/json"), ("Content-Length", str(len(body)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def self_signed(folder, name):
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-days", "2", "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}",
                    "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return certificate, key


@contextlib.contextmanager
def tls_front(folder, name):
    """An HTTPS server with a certificate for this name, which it signed itself; gives its port and the certificate."""
    certificate, key = self_signed(folder, name)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Impostor)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port, certificate
    finally:
        server.shutdown()
        server.server_close()


def certificates(suite, log):
    """nginx passes a request on to the server behind live-url only if its certificate is trusted and for its name."""
    for name, is_trusted, status in (("elsewhere.example", False, 503), ("elsewhere.example", True, 503),
                                     ("localhost", False, 503), ("localhost", True, 200)):
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
            product = Product(suite.product.binary, Path(folder), ROOT)
            port, certificate = stack.enter_context(tls_front(Path(folder), name))
            product.find_live_at(f"https://localhost:{port}")
            trust = f"proxy_ssl_trusted_certificate {certificate};" if is_trusted else ""
            at, dist = free_port(), product.build("nginx")
            stack.enter_context(nginx(product, dist, at, None, log, server=trust))
            for target in SLOTS[:1] + ("/v1/providers?limit=7",):
                place = f"a {'trusted' if is_trusted else 'self-signed'} certificate for {name}: {target}"
                reply = ask(at, target)
                suite.asked += 1
                suite.expect(place, "status", status, reply.status)
                suite.expect(place, "an answer of the other server", status == 200, b"impostor" in reply.body)
                suite.expect(place, "type", "application/json", reply.has("content-type"))


def ask_by_https(port, target):
    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=40, context=ssl._create_unverified_context())
    with contextlib.closing(connection):
        connection.request("GET", target)
        answer = connection.getresponse()
        answer.read()
        return answer.status, answer.getheader("Strict-Transport-Security")


def https(suite, log, folder):
    """Over HTTPS every answer requires HTTPS for the name; over HTTP none does."""
    product = Product(suite.product.binary, folder, ROOT)
    certificate, key = self_signed(folder, "localhost")
    plain, secure = free_port(), free_port()
    server = f"listen 127.0.0.1:{secure} ssl; ssl_certificate {certificate}; ssl_certificate_key {key};"
    rows = [("/", 200), ("/docs", 200), ("/no/such/page", 404), ("/v1/states", 200), ("/v1/providers?limit=3", 200),
            (SLOTS[0], 200), ("/v1/providers/nobody-here", 404), ("/v1/providers/hannah-whitfield", 301),
            ("/providers/hannah-whitfield", 301), ("/api/sse", 404)]
    with contextlib.ExitStack() as stack:
        live = stack.enter_context(product.live(log))
        stack.enter_context(nginx(product, product.build("nginx"), plain, None, log, server=server))
        for target, status in rows:
            suite.asked += 2
            suite.expect(f"by HTTPS: {target}", "status and HSTS", (status, "max-age=31536000"),
                         ask_by_https(secure, target))
            suite.expect(f"by HTTP: {target}", "HSTS", None, ask(plain, target).has("strict-transport-security"))
        ids = [ask(plain, "/v1/providers?limit=3").has("x-request-id") for _ in range(2)]
        suite.expect("/v1/providers?limit=3, kept", "X-Request-Id", [None, None], ids)
        ids = [ask(plain, SLOTS[0]).has("x-request-id") for _ in range(2)]
        suite.expect(SLOTS[0], "different X-Request-Ids", True, None not in ids and ids[0] != ids[1])
        one_address(suite, plain, product.live_port)
        stop(live)
        suite.json("without live: POST /v1/states", ask(plain, "/v1/states", "POST"), 503)


def one_after_another(port):
    """The statuses of 450 questions, and how long they take."""
    begin, statuses = time.monotonic(), [ask(port, SLOTS[0]).status for _ in range(450)]
    return statuses, time.monotonic() - begin


def one_address(suite, port, live_port):
    """700 questions at once from one address: some are refused, in JSON; files are not, and patient clients never."""
    statuses, took = one_after_another(port)
    suite.asked += len(statuses)
    suite.expect("450 questions one after another", "statuses", {200}, set(statuses))
    # A slow machine takes its time without the limit, too.
    _, unlimited = one_after_another(live_port)
    suite.expect("450 questions one after another", "at most 10 s of waiting", True, took < 2 * unlimited + 10)
    time.sleep(3)
    held = [socket.create_connection(("127.0.0.1", port), 10) for _ in range(700)]
    for connection in held:
        connection.sendall(f"GET {SLOTS[0]} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    suite.expect("a file, while live is limited", "status", 200, ask(port, "/v1/states").status)
    answers = []
    for connection in held:
        with connection, connection.makefile("rb") as stream:
            answers.append(stream.read())
    suite.asked += len(answers)
    refused = [answer for answer in answers if not answer.startswith(b"HTTP/1.1 200")]
    suite.expect("700 questions at once", "some are answered and some refused", True, 0 < len(refused) < 500 or len(refused))
    for answer in refused:
        head, _, body = answer.partition(b"\r\n\r\n")
        seen = [name for name in (b"HTTP/1.1 503", b"\r\nContent-Type: application/json", b"\r\nRetry-After: 1",
                                  b"\r\nAccess-Control-Allow-Origin: *", b"\r\nCache-Control: no-store") if name not in head]
        suite.expect("a question beyond the limit", "what its answer lacks", [], seen)
        suite.expect("a question beyond the limit", "code", True, b'"OVERLOADED"' in body)


def restarts(suite, log, folder):
    """Two lives behind one name, restarted in turn while they are asked by GET and by POST: no question fails."""
    product, port, other = Product(suite.product.binary, folder, ROOT), free_port(), free_port()
    dist = product.build("nginx")
    # A name with two addresses makes nginx do the same as two server lines.
    rules = dist / "_nginx/http.conf"
    line = next(line for line in rules.read_text().splitlines() if line.startswith("  server 127.0.0.1:"))
    rules.write_text(rules.read_text().replace(line, f"{line}\n{line.replace(str(product.live_port), str(other))}"))
    with contextlib.ExitStack() as stack:
        lives = {at: stack.enter_context(product.live(log, port=at)) for at in (product.live_port, other)}
        stack.enter_context(nginx(product, dist, port, None, log))
        done, failed, answered = threading.Event(), [], [0]

        def client(*question):
            while not done.is_set():
                reply = ask(port, *question)
                answered[0] += 1
                if reply.status != 200:
                    failed.append((question[0], reply.status))
                time.sleep(0.05)

        clients = [threading.Thread(target=client, args=question)
                   for question in 4 * [SLOTS[:1], ("/api/mcp", "POST", {"Host": "localhost", **MCP}, CALL)]]
        for thread in clients:
            thread.start()
        try:
            for _ in range(3):
                for at, live in lives.items():
                    stop(live)
                    lives[at] = stack.enter_context(product.live(log, port=at))
                    # It listens before it has read its content, and the other one continues until it answers.
                    ask(at, SLOTS[0])
        finally:
            done.set()
            for thread in clients:
                thread.join()
    suite.asked += answered[0]
    suite.expect("restarts in turn", "failed questions", [], failed[:3])
    suite.expect("restarts in turn", "at least 50 questions", True, answered[0] >= 50 or answered[0])
