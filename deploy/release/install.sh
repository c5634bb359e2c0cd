#!/bin/sh
# Installs Nameplate after verifying its checksum:
#
#   curl -fsSL @REPOSITORY@/releases/latest/download/install.sh | sh
#
# NAMEPLATE_VERSION=1.2.3 installs another version, PREFIX=/usr/local into another folder than ~/.local, and
# NAMEPLATE_RELEASES=https://mirror.example/releases from another place.
set -eu

fail() {
  echo "nameplate: $1" >&2
  exit 1
}

fetch() {
  code=0
  if command -v curl >/dev/null; then
    curl -fsSL --retry 2 -o "$temporary/$1" "$from/$1" 2>/dev/null || code=$?
  elif command -v wget >/dev/null; then
    wget -q -O "$temporary/$1" "$from/$1" 2>/dev/null || code=$?
  else
    fail "Install curl or wget first."
  fi
  case $code in
    0) ;;
    # Not found, as curl (for HTTP and files) and wget report it.
    22 | 37 | 8) fail "$from/$1 doesn't exist: check the version." ;;
    *) fail "Cannot download $from/$1: check the network." ;;
  esac
}

# The shell reads all of this before it starts, so half a download does nothing.
main() {
  version=${NAMEPLATE_VERSION:-@VERSION@}
  version=${version#v}
  from=${NAMEPLATE_RELEASES:-@REPOSITORY@/releases/download}/v$version
  folder=${PREFIX:-$HOME/.local}/bin
  case $(uname -sm) in
    'Linux x86_64') target=x86_64-unknown-linux-musl ;;
    'Linux aarch64' | 'Linux arm64') target=aarch64-unknown-linux-musl ;;
    'Darwin x86_64') target=x86_64-apple-darwin ;;
    'Darwin arm64') target=aarch64-apple-darwin ;;
    *) fail "There is no program for $(uname -sm): compile it from @REPOSITORY@." ;;
  esac
  # Next to its target, so that it replaces it at once, even if it is running.
  temporary=$(mkdir -p "$folder" 2>/dev/null && mktemp -d "$folder/.nameplate.XXXXXX" 2>/dev/null) ||
    fail "$folder can't be written: set PREFIX to another folder."
  trap 'rm -rf "$temporary"' EXIT
  trap 'exit 1' HUP INT TERM
  archive=nameplate-v$version-$target.tar.gz
  fetch SHA256SUMS
  fetch "$archive"
  if command -v sha256sum >/dev/null; then sum=$(sha256sum <"$temporary/$archive"); else sum=$(shasum -a 256 <"$temporary/$archive"); fi
  grep -qx "${sum%% *}  $archive" "$temporary/SHA256SUMS" ||
    fail "The checksum of $archive is wrong, so nothing was installed: try again, or report it."
  tar -xzf "$temporary/$archive" -C "$temporary" "${archive%.tar.gz}/nameplate" || fail "Can't unpack $archive in $folder."
  program=$temporary/${archive%.tar.gz}/nameplate
  why=$("$program" --version 2>&1) || fail "The program can't run in $folder (${why##*: }): set PREFIX to another folder."
  mv "$program" "$folder/nameplate" || fail "$folder/nameplate can't be replaced: set PREFIX to another folder."
  echo "Nameplate $version is in $folder. Next: nameplate demo"
  case :$PATH: in
    *:"$folder":*) ;;
    *) echo "First add the folder to your PATH: export PATH=\"$folder:\$PATH\"" ;;
  esac
}

main
