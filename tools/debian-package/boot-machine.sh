#!/bin/sh
# Boots the Debian root in $1 with its own systemd, processes, network and mounts: an empty machine for tests. Needs root and cgroups of version 2.
# The machine is the first child of this process, and ends with it.
set -eu
if [ "${2-}" != inside ]; then
  parent=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
  group=$parent/vidimus-machine-$$
  mkdir "$group"
  trap 'find "$group" -depth -type d -exec rmdir {} +' EXIT
  trap 'kill -KILL "$machine"; wait "$machine" || true; sleep 1; exit 0' TERM INT
  sh -c 'echo $$ > "$1/cgroup.procs"; exec unshare --mount --uts --ipc --pid --net --cgroup --fork --kill-child "$2" "$3" inside' - "$group" "$0" "$1" < /dev/null &
  machine=$!
  wait "$machine"
  exit
fi
root=$1
hostname machine
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
for folder in run dev tmp; do mount -t tmpfs -o mode=755 tmpfs "$root/$folder"; done
chmod 1777 "$root/tmp"
for node in null zero full random urandom tty; do
  touch "$root/dev/$node"
  mount --bind "/dev/$node" "$root/dev/$node"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
for number in 0 1 2; do ln -s "/proc/self/fd/$number" "$root/dev/$(echo stdin stdout stderr | cut -d ' ' -f $((number + 1)))"; done
cd "$root"
pivot_root . mnt
umount -l /mnt
exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit=multi-user.target
