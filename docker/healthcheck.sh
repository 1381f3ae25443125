#!/bin/sh
# Healthy means that the server answers; readiness (database, engine) is /readyz, for a load balancer.
set -eu
cd /app
node="node_modules/node-linux-$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')/bin/node"
exec "$node" -e "fetch('http://127.0.0.1:' + (process.env.PORT || 5000) + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
