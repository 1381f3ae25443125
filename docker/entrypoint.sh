#!/bin/sh
# start: server and engine; anything else is a command of the awaz command line, such as `doctor` or `admin list`.
set -eu
cd /app
node="node_modules/node-linux-$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')/bin/node"
if [ "${1:-start}" = start ]; then
  exec "$node" scripts/start.ts
fi
exec "$node" scripts/awaz.ts "$@"
