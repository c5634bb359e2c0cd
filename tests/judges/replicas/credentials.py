"""An operator of NATS in small: keys and JSON web tokens as nsc makes them, signed by openssl."""

import base64
import hashlib
import json
import subprocess
import time

from service import expect

# The number of each kind of key: the upper five bits of a public key's first byte. A seed has its own before it.
KINDS = {"operator": 14, "account": 0, "user": 20}
SEED = 18


def openssl(folder, *words, text=b""):
    done = subprocess.run(["openssl", *words], cwd=folder, input=text, capture_output=True, timeout=60)
    expect(done.returncode == 0, f"openssl: {done.stderr[-300:]}")
    return done.stdout


def encoded(data):
    """Base32 with the checksum that nkeys have: CRC-16 of the kind XMODEM."""
    check = 0
    for byte in data:
        check ^= byte << 8
        for _ in range(8):
            check = (check << 1 ^ (0x1021 if check & 0x8000 else 0)) & 0xFFFF
    return base64.b32encode(data + check.to_bytes(2, "little")).decode().rstrip("=")


class Key:
    """A pair of keys, in a file of the folder."""

    def __init__(self, folder, kind, name):
        self.folder, self.kind, self.name = folder, kind, name
        openssl(folder, "genpkey", "-algorithm", "ed25519", "-outform", "DER", "-out", f"{name}.der")
        private = (folder / f"{name}.der").read_bytes()
        public = openssl(folder, "pkey", "-inform", "DER", "-in", f"{name}.der", "-pubout", "-outform", "DER")
        # Both forms end with the 32 bytes of the key.
        byte = KINDS[kind] << 3
        self.public = encoded(bytes([byte]) + public[-32:])
        self.seed = encoded(bytes([SEED << 3 | byte >> 5, (byte & 31) << 3]) + private[-32:])

    def signed(self, text):
        (self.folder / "text").write_bytes(text)
        return openssl(self.folder, "pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey", f"{self.name}.der", "-in", "text")

    def token(self, subject, claims):
        """A token about a key, which this key issues."""
        body = {"iat": int(time.time()), "iss": self.public, "name": subject.name, "sub": subject.public}
        body["nats"] = {**claims, "type": subject.kind, "version": 2}
        body["jti"] = base64.b32encode(hashlib.sha256(json.dumps(body).encode()).digest()).decode().rstrip("=")
        text = f"{part({'typ': 'JWT', 'alg': 'ed25519-nkey'})}.{part(body)}"
        return f"{text}.{plain(self.signed(text.encode()))}"


def plain(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def part(value):
    return plain(json.dumps(value).encode())


UNLIMITED = {name: -1 for name in (
    "subs", "data", "payload", "imports", "exports", "conn", "leaf", "mem_storage", "disk_storage", "streams", "consumer",
)} | {"wildcards": True}


class Operator:
    """An operator with an account for the slots, and the configuration of a server that trusts it."""

    def __init__(self, folder):
        self.folder, self.key = folder, Key(folder, "operator", "judge")
        self.account, self.system = Key(folder, "account", "SLOTS"), Key(folder, "account", "SYS")

    def configuration(self):
        tokens = {key.public: self.key.token(key, {"limits": limits}) for key, limits in (
            (self.account, UNLIMITED),
            # The account of the servers has no JetStream.
            (self.system, {name: limit for name, limit in UNLIMITED.items() if name not in ("mem_storage", "disk_storage", "streams", "consumer")}),
        )}
        preload = "\n".join(f"  {account}: {token}" for account, token in tokens.items())
        own = self.key.token(self.key, {"system_account": self.system.public})
        return f"operator: {own}\nsystem_account: {self.system.public}\nresolver: MEMORY\nresolver_preload: {{\n{preload}\n}}\n"

    def user(self, name, **rights):
        """A user and its token; without rights, the user may do everything."""
        user = Key(self.folder, "user", name)
        return user, self.account.token(user, {**rights, "subs": -1, "data": -1, "payload": -1})

    def credentials(self, name, publish, subscribe):
        """Writes a credentials file of a user as nsc writes it."""
        user, token = self.user(name, pub={"allow": publish}, sub={"allow": subscribe})
        file = self.folder / f"{name}.creds"
        file.write_text(
            f"-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n"
            f"-----BEGIN USER NKEY SEED-----\n{user.seed}\n------END USER NKEY SEED------\n"
        )
        return file
