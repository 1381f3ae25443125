#!/bin/sh
# Installs the release folder that this file is in as a service of systemd, or upgrades the one that is installed:
#   install.sh [--no-start]
#   install.sh --uninstall   removes the service; recordings, settings and the user stay
#   install.sh --purge       also deletes them, after a question
# Run it as root. Running it again changes nothing that is right already. --root DIR installs into another root folder, without starting.
set -eu

release=$(cd "$(dirname "$0")/.." && pwd -P)
root=''
action=install
starts=yes
# shellcheck source=packaging/service.sh
. "$release/packaging/service.sh"

fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

while [ $# -gt 0 ]; do
  case $1 in
    --root)
      [ $# -ge 2 ] || fail '--root needs a folder'
      root=${2%/}
      shift
      ;;
    --no-start) starts=no ;;
    --uninstall) action=uninstall ;;
    --purge) action=purge ;;
    -h | --help)
      sed -n '2,6s/^# \{0,1\}//p' "$0"
      exit 0
      ;;
    *) fail "unknown option $1; install.sh --help lists them" ;;
  esac
  shift
done

unit=$root/etc/systemd/system/awaz.service
link=$root/opt/awaz
data=$root/var/lib/awaz
command=$root/usr/local/bin/awaz

require_tools() {
  [ "$(id -u)" = 0 ] || fail 'run it as root: sudo ./packaging/install.sh'
  for tool in systemctl systemd-sysusers systemd-tmpfiles; do
    command -v "$tool" >/dev/null || fail "$tool was not found: this machine has no systemd. docs/deployment.md says how to start Awaz without it."
  done
}

# A folder there is of the Debian package, or holds an installation of your own.
require_link() {
  [ ! -d "$link" ] || [ -L "$link" ] ||
    fail "$link is a folder. Move it away, or remove the Debian package if it is of that (apt-get remove awaz): it is to be a link to the release."
}

# The unit refers to /opt/awaz, a link to the folder of this release: an upgrade is another link.
place_release() {
  name=$(basename "$release")
  case $release in
    "$root/opt/$name") return 0 ;;
  esac
  case $name in
    awaz-*) ;;
    *) fail "$release is not a release folder: unpack awaz-VERSION-linux-*.tar.gz and run the install.sh inside it" ;;
  esac
  target=$root/opt/$name
  if [ ! -e "$target" ]; then
    say "copying the release to $target"
    mkdir -p "$root/opt"
    rm -rf "$target.part"
    cp -R "$release" "$target.part"
    mv "$target.part" "$target"
  fi
  release=$target
}

warn_about_ffmpeg() {
  command -v ffmpeg >/dev/null || say 'Debian'\''s ffmpeg is not installed; the one inside is of 2018: apt-get install ffmpeg'
}

switch_release() { ln -sfn "$(basename "$release")" "$link"; }

install_service() {
  require_tools
  require_link
  place_release
  warn_about_ffmpeg
  ! is_live "$root" || ! systemctl is-active --quiet awaz || {
    say 'stopping the service; jobs that run go on after the upgrade'
    systemctl stop awaz
  }
  place_files "$release/packaging" "$root" /etc/systemd/system /usr/local/bin
  make_account "$release/packaging" "$root"
  switch_release
  if ! is_live "$root" || [ "$starts" = no ]; then
    systemctl --root="$root/" --quiet enable awaz
    say_how_to_start
    return
  fi
  systemctl daemon-reload
  systemctl enable --now awaz
  wait_until_ready || exit 1
  say_what_is_next
}

uninstall_service() {
  require_tools
  require_link
  # One that was never installed, or half of it, is removed all the same.
  if is_live "$root"; then
    systemctl disable --now awaz 2>/dev/null || true
  else
    systemctl --root="$root/" disable awaz >/dev/null 2>&1 || true
  fi
  rm -f "$unit" "$link" "$command" "$root/usr/lib/sysusers.d/awaz.conf" "$root/usr/lib/tmpfiles.d/awaz.conf"
  ! is_live "$root" || systemctl daemon-reload
  say "The service is removed. Recordings and secrets stay in $data, settings in $root/etc/awaz, releases in $root/opt/awaz-*."
}

purge() {
  uninstall_service
  printf 'Delete all recordings, transcripts, accounts, secrets and settings of Awaz? Type "delete everything": '
  read -r answer || answer=''
  [ "$answer" = 'delete everything' ] || fail 'nothing more was deleted'
  rm -rf "$data" "$root/etc/awaz"
  for folder in "$root"/opt/awaz-*; do
    # Where this file runs from goes last, by hand: a shell reads its script as it runs.
    [ "$folder" = "$release" ] || rm -rf "$folder"
  done
  say "Everything is deleted but the user awaz and $release."
}

case $action in
  install) install_service ;;
  uninstall) uninstall_service ;;
  purge) purge ;;
esac
