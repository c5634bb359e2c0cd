"""One NATS server with TLS and the users of deploy/nats/nats.conf: what each may do, and nothing else."""

import asyncio
import logging
import shutil
import socket
import ssl
import subprocess
import time

import nats
from nats.js.api import KeyValueConfig

from service import ROOT, Service, copy_of_content, expect, free_port

# For this judge alone: the seed and the public key of an nkey of each user.
NKEYS = {
    "LIVE": ("SUAGJBYKKEUJBFF56XC5SNCHHGCRSPR3K3VHJBKIWBCDBYYMCPWEYB3PEA", "UC5EARAXPR5XS4OEVOT6ZRCUZUYSFDCGAUHZAJ3JBLM76EOELL6SFPPU"),
    "LARKSPUR": ("SUAMD24VLZZX3NMNHQDEGIAJVY5RCDHBEJ6XSYXI5D2N4MRNVZU3O73AOI", "UAUSERTFWGFIJ6H557B3CJMJXDLQ5TPCATIJROKOKRGF4Z7JKYJYF7HO"),
    "PUBLISH": ("SUAHUXZ6RMNOAKCFPLZIL7KMFSYU45DMJEOKY62VI2H2ZQDHH3XXE23UVY", "UCMDTYF7TGSAT34FCCFATVFNNVPNGDP6KTG2GFRJADQLPJCKC5XCECBK"),
}
OPERATOR = ("operator", "of-the-judge")


class Skip(Exception):
    """What the check needs is not here."""


def certificates(folder):
    """An authority, and the server's certificate of it."""
    if not shutil.which("openssl"):
        raise Skip("openssl is not here")

    def openssl(*words):
        done = subprocess.run(["openssl", *words], cwd=folder, capture_output=True, text=True, timeout=60)
        expect(done.returncode == 0, f"openssl: {done.stderr[-300:]}")

    key = ["-newkey", "rsa:2048", "-nodes"]
    authority = ["-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign"]
    openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=judge", *authority)
    openssl("req", *key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost")
    (folder / "names").write_text("subjectAltName=DNS:localhost\n")
    signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"]
    openssl("x509", "-req", "-in", "server.csr", *signed, "-out", "server.pem")


def configuration(folder, port):
    """The accounts as they are deployed, on a single server."""
    deployed = (ROOT / "deploy/nats/nats.conf").read_text()
    accounts = deployed[deployed.index("accounts {"):]
    name, password = OPERATOR
    accounts = accounts.replace("{ nkey: $NKEY_OPERATOR }", f'{{ user: "{name}", password: "{password}" }}')
    for user, (_, key) in NKEYS.items():
        accounts = accounts.replace(f"$NKEY_{user}", key)
    expect("$NKEY_" not in accounts, "the judge does not know a user of deploy/nats/nats.conf")
    tls = f'tls {{ cert_file: "{folder}/server.pem", key_file: "{folder}/server.key", ca_file: "{folder}/ca.pem" }}'
    return f'listen: "127.0.0.1:{port}"\n{tls}\njetstream {{ store_dir: "{folder}/data" }}\n{accounts}'


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


async def make_bucket(port, folder):
    # It warns of each TLS connection that ends.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    trust = ssl.create_default_context(cafile=folder / "ca.pem")
    name, password = OPERATOR
    client = await nats.connect(f"tls://localhost:{port}", tls=trust, user=name, password=password)
    await client.jetstream().create_key_value(KeyValueConfig(bucket="nameplate", history=1))
    await client.close()


def check(stage, slots, start):
    folder, port = stage.folder / "rights", free_port()
    folder.mkdir()
    certificates(folder)
    (folder / "server.conf").write_text(configuration(folder, port))
    for user, (seed, _) in NKEYS.items():
        (folder / f"{user}.nk").write_text(seed + "\n")
    with (folder / "server.log").open("ab") as log:
        server = subprocess.Popen([str(stage.cluster.program), "-c", str(folder / "server.conf")], stdout=log, stderr=log)
    try:
        end = time.monotonic() + 20
        while not listens(port):
            expect(time.monotonic() < end and server.poll() is None, "the server does not start")
            time.sleep(0.1)
        asyncio.run(make_bucket(port, folder))
        return use(stage, folder, f"tls://localhost:{port}", slots, start)
    finally:
        server.kill()
        server.wait()


def use(stage, folder, url, slots, start):
    source = folder / "open.ndjson"
    source.write_bytes(slots + b"\n")

    def push(site, user, authority="ca.pem"):
        secrets = ["--nkey", folder / f"{user}.nk", "--tls-ca", folder / authority]
        words = ["feed", "push", "--to", url, "--site", site, "--mode", "open", "--once", *secrets, source]
        command = list(map(str, [stage.nameplate, *words]))
        return subprocess.run(command, capture_output=True, text=True, timeout=120)

    pushed = push("larkspur", "LARKSPUR")
    expect(pushed.returncode == 0, f"the writer cannot write: {pushed.stderr[-300:]}")
    for site, user in (("other", "LARKSPUR"), ("larkspur", "LIVE")):
        refused = push(site, user)
        said = refused.stderr.lower()
        expect(refused.returncode == 2 and "permissions violation" in said, f"{user} as {site}: {refused.stderr[-300:]}")
    content, store = copy_of_content(folder), f"file://{folder}/releases"
    secrets = ["--nkey", folder / "PUBLISH.nk", "--tls-ca", folder / "ca.pem"]
    command = [stage.nameplate, "publish", content, store, "--without-feed", "--announce", url, *secrets]

    def publish(number):
        published = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=60)
        announced = f"release {number} is announced" in published.stdout
        expect(announced, f"release {number} is not announced: {published.stderr[-300:]}")

    publish(1)
    settings = (
        f'[feed]\nkind = "nats"\nurl = "{url}"\nmode = "open"\nnkey = "{folder}/LIVE.nk"\ntls-ca = "{folder}/ca.pem"\n'
    )
    with Service(stage.nameplate, folder, store, settings) as replica:
        shown = lambda: start.removesuffix("Z").encode() in replica.get("/v1/availability?" + stage.asked())[2]
        replica.until(shown, 20, "the replica does not show what was pushed")
        edited = content / "providers/jun-nakashima.toml"
        edited.write_text(edited.read_text().replace("Jun ", "Juno "))
        publish(2)
        heard = lambda: "a release is announced" in replica.log.read_text()
        replica.until(heard, 20, "the replica does not hear of the release")
    return "TLS, and the nkeys and rights of deploy/nats/nats.conf"
