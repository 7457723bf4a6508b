# Starts a bridge from a port of the loopback to a socket, and becomes the program behind the first three
# arguments once connections are taken: the path of socat, the socket, and the port.
#
# - The bridge is an orphan in a group of its own: no signal to the group of the command is for it, and
#   no shell waits for it.
# - That it listens, socat says in its log, which is read no further.
# - It stays until both sides have ended, so that one of them may end before the other.
#
# shellcheck shell=bash

set -m
exec 9< <( (exec -a shellflow-bridge "$1" -d -d -b 65536 -t 1000000 "TCP-LISTEN:$3,bind=127.0.0.1,backlog=1024,fork,max-children=128" "UNIX-CONNECT:$2" 2>&1 >/dev/null </dev/null) & )
said=
while [[ $said != *' listening on '* ]]; do
  read -r -u 9 line || { echo "Cannot bridge to the listed hosts: $said" >&2; exit 1; }
  said=$line
done
exec 9<&-
shift 3
exec "$@"
