#!/bin/sh
# bare.sh ROOT COMMAND ...
#
# The first process of fresh mount and process namespaces: gives ROOT its /proc, /dev and /tmp, and becomes COMMAND there.
set -eu
root=$1
shift
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
exec chroot "$root" "$@"
