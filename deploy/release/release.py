#!/usr/bin/env python3
"""Makes what a release publishes; docs/RELEASING.md says how.

    release.py pack TARGET PROGRAM OUT   the archive, the npm package and the wheel of one platform
    release.py gather OUT                what names all platforms in OUT: npm's main package, the Homebrew formula, install.sh,
                                         SHA256SUMS, and the folder that the image is made from

Needs Python 3.11. The same program gives the same bytes.
"""

import base64
import gzip
import hashlib
import io
import json
import shutil
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CARGO = tomllib.loads((ROOT / "Cargo.toml").read_text())
VERSION, REPOSITORY, LICENSE = (CARGO["workspace"]["package"][key] for key in ("version", "repository", "license"))
SUMMARY = CARGO["package"]["description"]
ABOUT = f"# Nameplate\n\n{SUMMARY}\n\n`nameplate demo` shows it. {REPOSITORY} has everything else.\n"
LICENSES = ["LICENSE-APACHE", "LICENSE-MIT", "NOTICE"]
# The name `nameplate` is taken on npm, so the packages are in the scope of the repository's owner.
NPM = f"@{REPOSITORY.split('/')[3].lower()}/nameplate"
# Each target's names in Node, in a wheel, in a formula and in an image. A static program runs with any C library.
STATIC = "manylinux_2_17_{0}.manylinux2014_{0}.musllinux_1_1_{0}"
TARGETS = {
    "x86_64-unknown-linux-musl": ("linux-x64", STATIC.format("x86_64"), "linux intel", "amd64"),
    "aarch64-unknown-linux-musl": ("linux-arm64", STATIC.format("aarch64"), "linux arm", "arm64"),
    "x86_64-apple-darwin": ("darwin-x64", "macosx_10_12_x86_64", "macos intel", None),
    "aarch64-apple-darwin": ("darwin-arm64", "macosx_11_0_arm64", "macos arm", None),
    "x86_64-pc-windows-msvc": ("win32-x64", "win_amd64", None, None),
}
# What a clinic copies or reads besides the program.
DOCUMENTS = ["README.md", "CHANGELOG.md", *LICENSES, "Dockerfile", "deploy", "docs"]


def files(names):
    """The bytes of files and of those in folders, by path."""
    for name in names:
        path = ROOT / name
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                yield file.relative_to(ROOT).as_posix(), file.read_bytes()


def tar(path, folder, contents, executables):
    with path.open("wb") as file, gzip.GzipFile("", "wb", 6, file, 0) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in contents.items():
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size, entry.mode = len(content), 0o755 if name in executables else 0o644
            archive.addfile(entry, io.BytesIO(content))


def zip_(path, contents, executables):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o100755 if name in executables else 0o100644) << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)


def npm(path, manifest, contents, executable):
    common = {"version": VERSION, "description": SUMMARY, "license": LICENSE, "homepage": REPOSITORY}
    common["repository"] = {"type": "git", "url": f"git+{REPOSITORY}.git"}
    contents = {"package.json": json.dumps({**manifest, **common}, indent=2).encode(), **contents, **dict(files(LICENSES))}
    tar(path, "package", contents, [executable])


def wheel(out, tags, name, program):
    """https://packaging.python.org/specifications/binary-distribution-format/"""
    folder, script = f"nameplate-{VERSION}.dist-info", f"nameplate-{VERSION}.data/scripts/{name}"
    described = f"Name: nameplate\nVersion: {VERSION}\nSummary: {SUMMARY}\nProject-URL: Source, {REPOSITORY}\n"
    licensed = f"License-Expression: {LICENSE}\n" + "".join(f"License-File: {name}\n" for name in LICENSES)
    lines = "".join(f"Tag: py3-none-{tag}\n" for tag in tags.split("."))
    contents = {script: program}
    contents |= {f"{folder}/licenses/{name}": content for name, content in files(LICENSES)}
    contents[f"{folder}/METADATA"] = f"Metadata-Version: 2.4\n{described}{licensed}Description-Content-Type: text/markdown\n\n{ABOUT}".encode()
    contents[f"{folder}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: nameplate\nRoot-Is-Purelib: false\n{lines}".encode()
    record = ""
    for path, content in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(content)}\n"
    contents[f"{folder}/RECORD"] = f"{record}{folder}/RECORD,,\n".encode()
    zip_(out / f"nameplate-{VERSION}-py3-none-{tags}.whl", contents, [script])


def archive_of(target):
    return f"nameplate-v{VERSION}-{target}." + ("zip" if "windows" in target else "tar.gz")


def pack(target, program, out):
    platform, tags, _, _ = TARGETS[target]
    program, name = Path(program).read_bytes(), "nameplate.exe" if "windows" in target else "nameplate"
    out.mkdir(parents=True, exist_ok=True)
    contents, folder = {name: program, **dict(files(DOCUMENTS))}, f"nameplate-v{VERSION}-{target}"
    if "windows" in target:
        zip_(out / archive_of(target), {f"{folder}/{path}": content for path, content in contents.items()}, [])
    else:
        tar(out / archive_of(target), folder, contents, [name])
    system, processor = platform.split("-")
    manifest = {"name": f"{NPM}-{platform}", "os": [system], "cpu": [processor], "preferUnplugged": True}
    npm(out / f"npm-{platform}-{VERSION}.tgz", manifest, {name: program}, name)
    wheel(out, tags, name, program)


def gather(out):
    sums, platforms = {}, {}
    for target, (platform, _, brew, image) in TARGETS.items():
        archive = out / archive_of(target)
        if not archive.exists():
            continue
        platforms[f"{NPM}-{platform}"] = VERSION
        if brew:
            sums[brew] = (archive.name, hashlib.sha256(archive.read_bytes()).hexdigest())
        if image:
            program = out / "image/programs" / image / "nameplate"
            program.parent.mkdir(parents=True, exist_ok=True)
            with tarfile.open(archive) as packed:
                program.write_bytes(packed.extractfile(f"nameplate-v{VERSION}-{target}/nameplate").read())
    shutil.copy(ROOT / "Dockerfile", out / "image")
    launcher = "bin/nameplate.js"
    manifest = {"name": NPM, "bin": {"nameplate": launcher}, "engines": {"node": ">=18"}, "optionalDependencies": platforms}
    contents = {launcher: (HERE / "nameplate.js").read_bytes(), "README.md": ABOUT.encode()}
    npm(out / f"npm-nameplate-{VERSION}.tgz", manifest, contents, launcher)
    (out / "nameplate.rb").write_text(formula(sums))
    script = (HERE / "install.sh").read_text().replace("@VERSION@", VERSION).replace("@REPOSITORY@", REPOSITORY)
    (out / "install.sh").write_text(script)
    published = sorted(file for file in out.iterdir() if file.is_file() and file.name != "SHA256SUMS")
    lines = (f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in published)
    (out / "SHA256SUMS").write_text("".join(lines))


def formula(sums):
    files = ""
    for brew, (archive, digest) in sums.items():
        system, processor = brew.split()
        url = f"{REPOSITORY}/releases/download/v{VERSION}/{archive}"
        where = f'on_{system} do\n    on_{processor} do\n      url "{url}"\n      sha256 "{digest}"\n    end\n  end'
        files += f"\n  {where}\n"
    return f"""class Nameplate < Formula
  desc "Public provider directory for a clinic, from plain files"
  homepage "{REPOSITORY}"
  version "{VERSION}"
  license any_of: {json.dumps(LICENSE.split(" OR "))}
{files}
  def install
    bin.install "nameplate"
  end

  test do
    system bin/"nameplate", "demo", "--to", testpath/"demo"
    system bin/"nameplate", "check", "--content", testpath/"demo"
  end
end
"""


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["pack", target, program, out] if target in TARGETS:
            pack(target, program, Path(out))
        case ["gather", out]:
            gather(Path(out))
        case _:
            sys.exit(f"{__doc__}\nTARGET is one of {', '.join(TARGETS)}.")
