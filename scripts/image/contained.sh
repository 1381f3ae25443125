#!/bin/sh
# contained.sh ROOT DATA [FROM:TO ...] -- COMMAND ...
#
# The first process of fresh mount and process namespaces. Makes ROOT a read-only root file system in which only /data (DATA) and /tmp
# can be written, lays each FROM over TO, gives up all rights, and becomes COMMAND as uid 10001. What a container engine does.
set -eu
root=$1
data=$2
shift 2
mount --bind "$root" "$root"
while [ "$1" != -- ]; do
  mount --bind "${1%%:*}" "$root${1#*:}"
  mount -o remount,bind,ro "$root${1#*:}"
  shift
done
shift
mount --bind "$data" "$root/data"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=0755 tmpfs "$root/dev"
for device in null zero full random urandom; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
mount -o remount,ro "$root/dev"
mount -o remount,bind,ro "$root"
exec chroot "$root" setpriv --reuid 10001 --regid 10001 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
