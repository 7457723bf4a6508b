/** A way in which a process gets away from the command that started it. */
export interface Way {
  readonly name: string;
  /** The command line; `what` is the process that would stay, and which the command waits for where it can. */
  readonly command: (what: string) => string;
  /** Nothing marks it any more: only a pid namespace reaches it. */
  readonly outOfReach?: true;
}

/** The ways, from the plain one to the one that sheds every mark. */
export const WAYS: readonly Way[] = [
  { name: "plain child", command: (what) => `${what}; :` },
  { name: "&", command: (what) => `${what} & wait` },
  { name: "nohup &", command: (what) => `nohup ${what} & wait` },
  { name: "disown", command: (what) => `${what} & disown; sleep 3600` },
  { name: "setsid", command: (what) => `setsid ${what} & sleep 3600` },
  { name: "double fork", command: (what) => `(setsid bash -c '(${what} &) ; exit' &); sleep 3600` },
  { name: "trap '' TERM", command: (what) => `trap '' TERM; ${what}; ${what}` },
  {
    name: "fork storm of 200",
    command: (what) => `for i in {1..200}; do ${what} & done; wait`,
  },
  {
    name: "setsid env -i, pipe kept",
    command: (what) =>
      `setsid env -i $(command -v ${what.split(" ")[0]}) ${
        what.split(" ").slice(1).join(" ")
      } & disown; sleep 3600`,
  },
  {
    name: "setsid env -i, all closed",
    // The sub-shell ends at once, so that nothing descends from the command; the pause lets it be so.
    command: (what) =>
      `(setsid env -i bash -c '$0 "$@" <&- >&- 2>&- &' ${what} >/dev/null 2>&1 </dev/null &); sleep 3600`,
    outOfReach: true,
  },
];
