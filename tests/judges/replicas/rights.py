"""One NATS server with TLS and the users of deploy/nats/nats.conf: what each may do, and nothing else. The users come once as
nkeys, as they are deployed, and once with the same rights in credentials files."""

import asyncio
import base64
import logging
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import nats
from nats.js.api import KeyValueConfig

from credentials import Operator, openssl
from service import ROOT, Service, copy_of_content, expect, free_port

# For this judge alone: the seed and the public key of an nkey of each user.
NKEYS = {
    "LIVE": ("SUAGJBYKKEUJBFF56XC5SNCHHGCRSPR3K3VHJBKIWBCDBYYMCPWEYB3PEA", "UC5EARAXPR5XS4OEVOT6ZRCUZUYSFDCGAUHZAJ3JBLM76EOELL6SFPPU"),
    "LARKSPUR": ("SUAMD24VLZZX3NMNHQDEGIAJVY5RCDHBEJ6XSYXI5D2N4MRNVZU3O73AOI", "UAUSERTFWGFIJ6H557B3CJMJXDLQ5TPCATIJROKOKRGF4Z7JKYJYF7HO"),
}
OPERATORS_KEY = "UBCGA6C7HAYXTSYPRB6DYNUYPN7WR3JCEN6AQ63MOQHX6ZUWCX3IXGX5"
OPERATOR = ("operator", "of-the-judge")
DEPLOYED = ROOT / "deploy/nats/nats.conf"


class Skip(Exception):
    """What the check needs is not here."""


def certificates(folder):
    """An authority, and the server's certificate of it."""
    key = ["-newkey", "rsa:2048", "-nodes"]
    authority = ["-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign"]
    openssl(folder, "req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=judge", *authority)
    openssl(folder, "req", *key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost")
    (folder / "names").write_text("subjectAltName=DNS:localhost\n")
    signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"]
    openssl(folder, "x509", "-req", "-in", "server.csr", *signed, "-out", "server.pem")


def whole_file_is_taken(program, folder):
    """The server takes the whole file that is deployed, with the certificates of this folder."""
    (folder / "deployed.conf").write_text(DEPLOYED.read_text().replace("/etc/nats/tls", str(folder)).replace('"/data"', f'"{folder}/deployed"'))
    keys = {f"NKEY_{user}": key for user, (_, key) in NKEYS.items()}
    environment = {**os.environ, **keys, "NKEY_OPERATOR": OPERATORS_KEY, "NATS_NAME": "n1"}
    command = [str(program), "-t", "-c", str(folder / "deployed.conf")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    expect(done.returncode == 0, f"deploy/nats/nats.conf: {done.stderr[-300:]}")


def base(folder, port):
    tls = f'tls {{ cert_file: "{folder}/server.pem", key_file: "{folder}/server.key", ca_file: "{folder}/ca.pem" }}'
    return f'listen: "127.0.0.1:{port}"\n{tls}\njetstream {{ store_dir: "{folder}/data" }}\n'


class Nkeys:
    """The accounts as they are deployed, on a single server."""

    def __init__(self, folder):
        self.folder = folder
        for user, (seed, _) in NKEYS.items():
            (folder / f"{user}.nk").write_text(seed + "\n")

    def configuration(self):
        deployed = DEPLOYED.read_text()
        accounts = deployed[deployed.index("accounts {"):]
        name, password = OPERATOR
        accounts = accounts.replace("{ nkey: $NKEY_OPERATOR }", f'{{ user: "{name}", password: "{password}" }}')
        for user, (_, key) in NKEYS.items():
            accounts = accounts.replace(f"$NKEY_{user}", key)
        expect("$NKEY_" not in accounts, "the judge does not know a user of deploy/nats/nats.conf")
        return accounts

    def operator(self):
        return dict(zip(("user", "password"), OPERATOR))

    def secret(self, user):
        return "nkey", self.folder / f"{user}.nk"


class Tokens:
    """The same rights in tokens of an operator: each user has a credentials file."""

    def __init__(self, folder):
        self.operators, self.files = Operator(folder), {}
        for user in NKEYS:
            _, _, block = DEPLOYED.read_text().partition(f"$NKEY_{user}, permissions")
            publish, _, subscribe = block[:block.index("} }")].partition("subscribe")
            quoted = [re.findall('"([^"]+)"', part) for part in (publish, subscribe)]
            expect(all(quoted), f"deploy/nats/nats.conf has no rights of {user}")
            self.files[user] = self.operators.credentials(user, *quoted)

    def configuration(self):
        return self.operators.configuration()

    def operator(self):
        user, token = self.operators.user("OPERATOR")
        signature = lambda nonce: base64.b64encode(user.signed(nonce.encode()))
        return {"user_jwt_cb": token.encode, "signature_cb": signature}

    def secret(self, user):
        return "creds", self.files[user]


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


async def make_bucket(port, folder, operator):
    # It warns of each TLS connection that ends.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    trust = ssl.create_default_context(cafile=folder / "ca.pem")
    client = await nats.connect(f"tls://localhost:{port}", tls=trust, **operator)
    await client.jetstream().create_key_value(KeyValueConfig(bucket="nameplate", history=1))
    await client.close()


def check(stage, slots, start):
    if not shutil.which("openssl"):
        raise Skip("openssl is not here")
    for users in (Nkeys, Tokens):
        folder, port = stage.folder / f"rights-{users.__name__.lower()}", free_port()
        folder.mkdir()
        certificates(folder)
        whole_file_is_taken(stage.cluster.program, folder)
        with_users(stage, folder, port, users(folder), slots, start)
    return "TLS; the rights of deploy/nats/nats.conf with nkeys and with credentials files"


def with_users(stage, folder, port, users, slots, start):
    (folder / "server.conf").write_text(base(folder, port) + users.configuration())
    with (folder / "server.log").open("ab") as log:
        server = subprocess.Popen([str(stage.cluster.program), "-c", str(folder / "server.conf")], stdout=log, stderr=log)
    try:
        end = time.monotonic() + 60
        while not listens(port):
            why = (folder / "server.log").read_text()[-300:]
            expect(time.monotonic() < end and server.poll() is None, f"the server does not start: {why}")
            time.sleep(0.1)
        asyncio.run(make_bucket(port, folder, users.operator()))
        use(stage, folder, f"tls://localhost:{port}", users, slots, start)
    finally:
        server.kill()
        server.wait()


def use(stage, folder, url, users, slots, start):
    source = folder / "open.ndjson"
    source.write_bytes(slots + b"\n")

    def secrets(user):
        kind, file = users.secret(user)
        return [f"--{kind}", file, "--tls-ca", folder / "ca.pem"]

    def push(site, user):
        words = ["feed", "push", "--to", url, "--site", site, "--mode", "open", "--once", *secrets(user), source]
        return subprocess.run(list(map(str, [stage.nameplate, *words])), capture_output=True, text=True, timeout=120)

    pushed = push("larkspur", "LARKSPUR")
    expect(pushed.returncode == 0, f"the writer cannot write: {pushed.stderr[-300:]}")
    # Each waits until an election would be over.
    foreign = [("other", "LARKSPUR"), ("larkspur", "LIVE")]
    with ThreadPoolExecutor() as threads:
        for (site, user), refused in zip(foreign, threads.map(lambda both: push(*both), foreign)):
            said = refused.stderr.lower()
            expect(refused.returncode == 2 and "permissions violation" in said, f"{user} as {site}: {refused.stderr[-300:]}")
    kind, file = users.secret("LIVE")
    settings = f'[feed]\nkind = "nats"\nurl = "{url}"\nmode = "open"\n{kind} = "{file}"\ntls-ca = "{folder}/ca.pem"\n'
    with Service(stage.nameplate, folder, copy_of_content(folder), settings) as replica:
        shown = lambda: start.removesuffix("Z").encode() in replica.get("/v1/availability?" + stage.asked())[2]
        replica.until(shown, 60, "the replica does not show what was pushed")
        logs = replica.log.read_text() + pushed.stderr
        expect(not re.search(r"\bSU[A-Z2-7]{56}|eyJ", logs), "a log has a secret")
