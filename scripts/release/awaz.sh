#!/bin/sh
# awaz            server and engine, until a signal
# awaz COMMAND    the command line: `awaz help`
# Runs on the Node that lies beside it and changes nothing in its own folder, which may be read-only.
set -eu
home=$(dirname -- "$(readlink -f -- "$0")")
case $(uname -m) in
  x86_64) arch=x64 ;;
  aarch64) arch=arm64 ;;
  *) arch=$(uname -m) ;;
esac
node=$home/node_modules/node-linux-$arch/bin/node
if [ ! -x "$node" ]; then
  echo "This Awaz was built for another kind of processor than this machine's ($(uname -m))." >&2
  exit 1
fi
if grep -q x86-64-v3 "$home/node_modules/.awaz/whisper.json" && ! grep -qw avx2 /proc/cpuinfo; then
  echo 'This Awaz needs a processor with AVX2. Install it from a clone on this machine: see docs/deployment.md.' >&2
  exit 1
fi
export NODE_ENV="${NODE_ENV:-production}" DATA_DIR="${DATA_DIR:-$home/data}" MODELS_DIR="${MODELS_DIR:-$home/models}"
# A user that the system does not know, as some orchestrators make one up, has no home, and llama.cpp's bindings ask for one.
export HOME="${HOME:-/tmp}"
if [ "${1:-start}" = start ]; then
  exec "$node" "$home/scripts/start.ts"
fi
exec "$node" "$home/scripts/awaz.ts" "$@"
