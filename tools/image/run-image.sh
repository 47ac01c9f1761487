#!/bin/sh
# Runs a command of a mounted image with what the operator of a container allows: a read-only root, an empty /tmp, three volumes, no new privileges.
#   run-image.sh ROOT VOLUMES USER FOLDER NAME=VALUE… COMMAND…    as root; the network is that of the machine
set -eu
[ "${INSIDE-}" = 1 ] || INSIDE=1 exec unshare --mount "$0" "$@"
root=$1 volumes=$2 user=$3 folder=$4
shift 4
mount --make-rprivate /
mkdir -p "$root/run/secrets"
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount --bind /proc "$root/proc"
mount --bind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
mount --bind "$volumes/secrets" "$root/run/secrets"
mount -o remount,bind,ro "$root/run/secrets"
for volume in ledger checkpoints; do mount --bind "$volumes/$volume" "$root/$volume"; done
exec setpriv --no-new-privs chroot --userspec="$user" --groups= "$root" env -i --chdir="$folder" "$@"
