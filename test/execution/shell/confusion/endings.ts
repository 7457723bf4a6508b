import { type Row, same } from "./row.ts";

/** Lines that end the shell, or leave it without an end. */
export const endings: readonly Row[] = [
  same("exit", { line: "echo a; exit 3; echo b", fate: "replaced" }),
  same("exit, with more variables than a program may have", {
    line: "export A=$(head -c 200000 /dev/zero | tr '\\0' x); echo a; exit 3",
    fate: "replaced",
    undo: "unset A",
  }),
  same("exit, where no file may be written", {
    line: "echo a; ulimit -f 0; exit 3",
    fate: "replaced",
  }),
  same("exit, with another program in place of the driver", {
    line: "BASH_EXECUTION_STRING=x ZSH_EXECUTION_STRING=x; echo a; exit 3",
    fate: "replaced",
  }),
  same("exit, with words of the driver for aliases", {
    line: "shopt -s expand_aliases; alias if=no case=no while=no; exit 3",
    fate: "replaced",
  }, {
    zsh: "takes such words for aliases",
    dash: { line: "alias if=no case=no while=no; exit 3" },
  }),
  same("exec of a shell", { line: "echo a; exec bash -c 'echo b; exit 4'", fate: "replaced" }),
  same("exec of a shell that reads nothing", { line: "exec bash", fate: "replaced" }),
  same("exec of what is not there", { line: "exec /none; echo on", fate: "replaced" }, {
    zsh: { fate: "replaced" },
    dash: { fate: "replaced" },
  }),
  same("return", { line: "echo a; return 3; echo b" }, {
    zsh: { fate: "replaced" },
    dash: { fate: "replaced" },
  }),
  same("set -e and a failure", { line: "set -e; echo a; false; echo b", fate: "replaced" }),
  same(
    "set -u and a name that is not set",
    { line: "set -u; echo $nope; echo b", fate: "replaced" },
    {
      zsh: { fate: "kept", undo: "set +u" },
      dash: { fate: "kept", undo: "set +u" },
    },
  ),
  same("a name that must be set", { line: "echo ${nope:?is not set}; echo b", fate: "replaced" }, {
    dash: { fate: "kept" },
  }),
  same("break, continue", { line: "echo a; break 99; echo b", output: "a\n", end: 0 }),
  same("continue", { line: "echo a; continue; echo b", output: "a\n", end: 0 }),
  same("an end by its own TERM", {
    line: "echo a; kill $$; echo b",
    fate: "replaced",
  }),
  same("an end by its own INT", {
    line: "echo a; kill -INT $$; echo b",
    fate: "replaced",
  }),
  same("an end by its own HUP", {
    line: "echo a; kill -HUP $$; echo b",
    fate: "replaced",
  }),
  same("an end by its own USR1", { line: "echo a; kill -USR1 $$; echo b", fate: "replaced" }),
  same("an end by its own SEGV", { line: "echo a; kill -SEGV $$; echo b", fate: "replaced" }),
  same("an end by its own KILL", { line: "echo a; kill -9 $$; echo b", fate: "replaced" }),
  same("a stop by its own STOP, and a timeout", {
    line: "echo a; kill -STOP $$; echo b",
    meanwhile: "timeout",
    output: /^a\n(b\n)?$/,
    end: "timedOut",
    fate: "replaced",
  }),
  same("a stop by its own STOP, and CONT", {
    line: "echo a; kill -STOP $$; echo b",
    meanwhile: "SIGCONT",
    output: "a\nb\n",
    end: 0,
  }),
  same("a loop of builtins that is stopped", {
    line: "echo a; while :; do :; done",
    meanwhile: "stop",
    output: "a\n",
    end: "SIGTERM",
    fate: "replaced",
  }),
  same("a loop of builtins that is interrupted", {
    line: "echo a; while :; do :; done",
    meanwhile: "SIGINT",
    output: "a\n",
    end: "SIGINT",
    fate: "replaced",
  }),
  same("a program that is stopped", {
    line: "echo a; sleep 100; echo b",
    meanwhile: "stop",
    output: /^a\n(Terminated.*\n)?$/,
    end: "SIGTERM",
    fate: "replaced",
  }),
  same("set -n", { line: "echo a; set -n; echo b", fate: "replaced" }),
  same("set -o noexec", { line: "echo a; (exit 2); set -o noexec; echo b", fate: "replaced" }),
  same("a trap on EXIT", { line: "trap 'echo bye' EXIT; echo a", output: "a\n", end: 0 }),
  // Its output is lost where the shell undoes the redirections of the command before.
  same(
    "a trap on EXIT, and exit",
    { line: "trap 'echo bye $?' EXIT; exit 3", output: "", fate: "replaced" },
    { zsh: { output: "bye 3\n" } },
  ),
  same("a trap on EXIT, and a signal", {
    line: "trap 'echo bye' EXIT; echo a; kill $$; echo b",
    fate: "replaced",
  }),
  same("ulimit -n 3", {
    line: "echo a; ulimit -n 3; echo b",
    output: /^a\nb\n/,
    end: 0,
    fate: "replaced",
  }),
];
