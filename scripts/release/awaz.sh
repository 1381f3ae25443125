#!/bin/sh
# awaz            runs server and engine until a signal
# awaz COMMAND    runs a command: `awaz help`
# Runs on the Node in its own folder and changes nothing there: the folder may be read-only.
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
# Data lies beside this file unless the environment or the file .env names another folder.
is_in_env_file() { grep -Eqs "^[[:space:]]*(export[[:space:]]+)?$1(_FILE)?=" "${AWAZ_ENV_FILE-$home/.env}"; }
[ -n "${DATA_DIR:-}${DATA_DIR_FILE:-}" ] || is_in_env_file DATA_DIR || export DATA_DIR="$home/data"
# How help and remedies name this command: as it was called.
export AWAZ_COMMAND="${AWAZ_COMMAND:-$0}"
export NODE_ENV="${NODE_ENV:-production}"
# A user that the system does not know, as some orchestrators make one up, has no home, and llama.cpp's bindings ask for one.
export HOME="${HOME:-/tmp}"
if [ "${1:-start}" = start ]; then
  exec "$node" "$home/scripts/start.ts"
fi
exec "$node" "$home/scripts/awaz.ts" "$@"
