# Closes every descriptor but the standard ones, and becomes the program in its arguments. What a host
# inherited, or Deno copied, may be the output of a command that the host runs in, which would wait for
# this process then. In bash, as a POSIX shell need not know descriptors above 9.
#
# shellcheck shell=bash

for shellflow_fd in /dev/fd/*; do
  case ${shellflow_fd##*/} in [012] | *[!0-9]*) ;; *) eval "exec ${shellflow_fd##*/}>&-" ;; esac
done
exec "$@"
