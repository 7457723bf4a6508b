// deno-fmt-ignore-file
// Made from close-descriptors.bash by .ci/embed-files.mjs.

/** The text of `close-descriptors.bash`, without comments and on one line. */
export const closeDescriptors: string =
  "for shellflow_fd in /dev/fd/*; do case ${shellflow_fd##*/} in [012] | *[!0-9]*) ;; *) eval \"exec ${shellflow_fd##*/}>&-\" ;; esac; done; exec \"$@\"";
