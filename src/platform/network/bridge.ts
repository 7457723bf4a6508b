// deno-fmt-ignore-file
// Made from bridge.bash by .ci/embed-files.mjs.

/** The text of `bridge.bash`, without comments and on one line. */
export const bridge: string =
  "set -m; exec 9< <( (exec -a shellflow-bridge \"$1\" -d -d -b 65536 -t 1000000 \"TCP-LISTEN:$3,bind=127.0.0.1,backlog=1024,fork,max-children=128\" \"UNIX-CONNECT:$2\" 2>&1 >/dev/null </dev/null) & ); said=; while [[ $said != *' listening on '* ]]; do read -r -u 9 line || { echo \"Cannot bridge to the listed hosts: $said\" >&2; exit 1; }; said=$line; done; exec 9<&-; shift 3; exec \"$@\"";
