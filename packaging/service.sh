# Sourced by install.sh and by the scripts of the Debian package: what both put into place, and how both wait for the service.
# ROOT is a root folder without its last slash: empty for that of this machine.
# shellcheck shell=sh

say() { printf '%s\n' "$*"; }

# place_files PACKAGING ROOT UNITS COMMANDS: copies the files of a folder packaging to a root folder, the unit to UNITS, the command to COMMANDS.
place_files() {
  install -D -m 0644 "$1/awaz.sysusers" "$2/usr/lib/sysusers.d/awaz.conf"
  install -D -m 0644 "$1/awaz.tmpfiles" "$2/usr/lib/tmpfiles.d/awaz.conf"
  install -D -m 0644 "$1/awaz.service" "$2$3/awaz.service"
  install -D -m 0755 "$1/awaz.sh" "$2$4/awaz"
}

# make_account PACKAGING ROOT: makes user, folders and settings where they are missing; files that are there stay as they are.
make_account() {
  systemd-sysusers --root="$2/" awaz.conf
  systemd-tmpfiles --root="$2/" --create awaz.conf
  if [ ! -e "$2/etc/awaz/awaz.env" ]; then
    install -m 0640 "$1/awaz.env" "$2/etc/awaz/awaz.env"
    # By number: the group may exist in the other root folder only.
    chgrp "$(awk -F: '$1 == "awaz" { print $3 }' "$2/etc/group")" "$2/etc/awaz/awaz.env"
  fi
}

# Another root folder, and a machine without systemd running, as while an image is built, start nothing.
# is_live ROOT
is_live() { [ -z "$1" ] && [ -d /run/systemd/system ]; }

# Waits until the service is ready. Fails with a sentence where it does not run, ends again and again, or is not ready after two minutes, as while it
# migrates much data.
wait_until_ready() {
  say 'waiting until it is ready'
  seconds=0
  until answers; do
    # Between two starts it is "activating".
    case $(systemctl show --property ActiveState --value awaz) in inactive | failed) not_ready 'It does not run' ;; esac || return 1
    [ "$(systemctl show --property NRestarts --value awaz)" -lt 3 ] || not_ready 'It ends after each start' || return 1
    [ $seconds -lt 120 ] || not_ready "It is not ready after $seconds s" || return 1
    seconds=$((seconds + 1))
    sleep 1
  done
}

not_ready() {
  say "$1; systemctl status awaz and journalctl -u awaz say why."
  return 1
}

answers() {
  port=$(sed -n 's/^PORT=\([0-9]*\).*/\1/p' /etc/awaz/awaz.env | tail -n 1)
  "$(echo /opt/awaz/node_modules/node-linux-*/bin/node)" -e 'fetch(process.argv[1]).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))' \
    "http://127.0.0.1:${port:-5000}/readyz"
}

say_what_is_next() {
  say 'Awaz runs. Its log: journalctl -u awaz'
  [ ! -e /var/lib/awaz/initial-admin-password ] || say 'The password of the first administrator: cat /var/lib/awaz/initial-admin-password'
  say 'Settings: /etc/awaz/awaz.env (all of them: /opt/awaz/.env.example), then systemctl restart awaz. Commands: awaz help'
}

say_how_to_start() { say 'Installed. Start it with: systemctl start awaz'; }
