#!/bin/sh
# The command awaz: the command line of the installed Awaz, with its settings and as its user: awaz doctor, awaz backup, awaz help
set -eu
export DATA_DIR=/var/lib/awaz AWAZ_ENV_FILE=/etc/awaz/awaz.env AWAZ_COMMAND=awaz
# Where the service has its sockets; gone while it is stopped, and that of root is closed to the user awaz.
XDG_RUNTIME_DIR=''
[ ! -d /run/awaz ] || XDG_RUNTIME_DIR=/run/awaz
export XDG_RUNTIME_DIR
# Without arguments /opt/awaz/awaz starts the product, which the service does.
[ $# -gt 0 ] || set -- help
if [ "$(id -un)" = awaz ]; then exec /opt/awaz/awaz "$@"; fi
if [ "$(id -u)" != 0 ]; then
  echo 'awaz: run it as root, or as the user awaz: it reads recordings and secrets.' >&2
  exit 1
fi
export HOME=/var/lib/awaz
exec setpriv --reuid awaz --regid awaz --init-groups --no-new-privs /opt/awaz/awaz "$@"
