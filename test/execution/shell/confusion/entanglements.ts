import { sized } from "../../../sized.ts";
import { type Row, same } from "./row.ts";

const NAMES = "printf eval exit read trap command builtin".split(" ");
const shadow = (names: readonly string[]) =>
  names.map((name) => `${name}() { echo shadow of ${name}; }`).join("; ");
/** What must not be in the way: more than any shell defines by itself. */
const FUNCTIONS = [
  ...NAMES,
  ...["unset", "export", "declare", "typeset", "alias", "hash", "mapfile", "exec", "cd", "return"],
  ...["set", "test", "[", "true", ":", "shift", "umask", "."],
];
/** In dash, as POSIX says, special builtins cannot be functions. */
const SPECIAL = "eval exit trap unset export exec return set : shift .".split(" ");
const MEGABYTES = sized(1, 10);
const MARKERS = "\\0D 0 7\\0\\n\\0E 0 7\\0\\n__sf_ __sf_rc=3 \\0=/\\0\\n";

/** What only bash has, or only its driver stands. */
const ONLY_BASH = { zsh: "is a matter of bash", dash: "is a matter of bash" };

/** Lines that get at what a shell is made of. */
export const entanglements: readonly Row[] = [
  same("exec >/dev/null", { line: "echo a; exec >/dev/null; echo b" }),
  same("exec 2>&1 >file", { line: "echo a; exec >file 2>&1; echo b; echo c >&2" }),
  same("a quote without end", { line: 'echo a; echo "b' }),
  same("a bracket without end", { line: "echo $((" }),
  same("words that end nothing", { line: "echo a\nfi; done; }" }),
  same("a document without end", {
    line: "cat <<EOF\nx",
    output: /^(x|.*delimited by end-of-file.*\nx\n)?/,
  }),
  same("a \\ at the end", { line: "echo a\\" }),
  same("a comment at the end", { line: "echo a # b" }),
  same("nothing", { line: "" }),
  same("a blank line", { line: " \n\n" }),
  same("closed descriptors 0 to 20", {
    line: `exec ${Array.from({ length: 21 }, (_, fd) => `${fd}>&-`).join(" ")}; echo a`,
    output: "",
  }, {
    zsh: { line: "exec 0>&- 1>&- 2>&- 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; echo a", output: "" },
    dash: { line: "exec 0>&- 1>&- 2>&- 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; echo a", output: "" },
  }),
  ...NAMES.map((name) =>
    same(`a function named ${name}`, {
      line: `${shadow([name])}; echo a`,
      // Nothing gets past it.
      ...(name === "builtin" && { fate: "replaced" }),
    }, {
      ...(name === "builtin" && { zsh: { end: 1 } }),
      dash: SPECIAL.includes(name) ? "special builtins cannot be functions" : { fate: "kept" },
    })
  ),
  same("functions of all these names and more", {
    line: `${shadow(FUNCTIONS)}; echo a`,
    fate: "replaced",
  }, {
    zsh: { end: 1 },
    dash: {
      fate: "kept",
      line: `${
        shadow(FUNCTIONS.filter((name) => !SPECIAL.includes(name) && name !== "["))
      }; echo a`,
    },
  }),
  same("unset -f", { line: "unset -f printf eval exit read trap command builtin; echo $?" }),
  same("aliases", {
    line:
      "shopt -s expand_aliases; alias eval=no builtin=no printf=no unset=no trap=no echo=no; kill -0 $$",
    undo: "\\unalias echo",
  }, {
    zsh: { line: "alias eval=no builtin=no printf=no unset=no trap=no echo=no; kill -0 $$" },
    dash: { line: "alias eval=no command=no printf=no unset=no trap=no echo=no .=no; kill -0 $$" },
  }),
  same("a trap on DEBUG", { line: "trap 'echo d' DEBUG; echo a", undo: "trap - DEBUG" }, {
    dash: "has no such trap",
  }),
  same("a trap on ERR", { line: "trap 'echo e' ERR; echo a; (exit 2)", undo: "trap - ERR" }, {
    zsh: { line: "trap 'echo e' ZERR; echo a; (exit 2)", undo: "trap - ZERR" },
    dash: "has no such trap",
  }),
  same("trap '' INT", { line: "trap '' INT; kill -INT $$; echo a" }),
  same("trap '' TERM and a stop", {
    line: "trap '' TERM; echo a; while :; do :; done",
    meanwhile: "stop",
    stubborn: true,
    output: "a\n",
    end: "SIGKILL",
    fate: "replaced",
  }),
  same("PS0", { line: "PS0='echo x $(echo y)'; echo a" }),
  same("PROMPT_COMMAND", { line: "PROMPT_COMMAND='echo x'; precmd() { echo y; }; echo a" }),
  same("PS4", { line: "PS4='$(echo x) '; set -x; echo a", output: /echo a\na\n/, undo: "set +x" }),
  same("set -m", { line: "set -m; sleep 0.01 & wait; echo a", undo: "set +m" }),
  same("coproc", { line: "coproc cat; echo a" }, { dash: "has no coprocesses" }),
  same("disown", { line: "sleep 0.01 & disown; echo a" }, { dash: "has no disown" }),
  same("read x", { line: 'read x; echo "$? [$x]"' }),
  same("cat of no input", { line: "cat; echo a" }),
  same("NUL", { line: "printf 'a\\0b\\n'; echo c" }),
  same("the text of reports", { line: `printf '${MARKERS}'; printf '${MARKERS}' >&2` }),
  same(`a line of ${MEGABYTES} MB`, {
    line: `x=${"a".repeat(MEGABYTES * 1_000_000)}; echo \${#x}; unset x`,
    output: `${MEGABYTES}000000\n`,
    end: 0,
  }),
  same("a line with 20 000 lines", {
    line: `${": some of it\n".repeat(20_000)}echo a`,
    output: "a\n",
    end: 0,
  }),
  same("a directory that is gone", {
    line: "mkdir ../gone; cd ../gone; rmdir ../gone; echo a",
    next: "next kept sent gone f\n0 1",
  }),
  same("set -x", { line: "set -x; echo a", undo: "set +x" }, {
    // A line is evaluated, which bash shows.
    bash: { output: "++ echo a\na\n" },
    zsh: { output: "+(eval):1> echo a\na\n" },
  }),
  same("set -v", { line: "set -v; echo a", undo: "set +v" }),
  same("set -f", { line: "set -f; echo *" }),
  same("IFS=x", { line: "IFS=x; y=axb; echo $y" }),
  same("set -o posix", { line: "set -o posix; echo a" }, {
    zsh: { line: "setopt posixbuiltins shwordsplit posixidentifiers; echo a" },
    dash: "is POSIX already",
  }),
  same("set -a", { line: "set -a; y=1; echo a" }),
  same("set -b -h -k -C", { line: "set -C; echo a" }),
  same("enable -n printf", { line: "enable -n printf; echo a", fate: "replaced" }, {
    zsh: { line: "disable printf; echo a" },
    dash: "cannot disable builtins",
  }),
  same("our variables unset", {
    line: "unset __sf_a __sf_n __sf_k __sf_e __sf_rc __sf_r __sf_x __sf_t; echo a",
  }),
  same("our variables set", {
    line: "__sf_a=1 __sf_n=2 __sf_k=3 __sf_e=4 __sf_rc=5 __sf_r=6 __sf_x=7 __sf_t=8; echo a",
  }),
  ...["rc", "a", "k", "x", "on"].map((name) =>
    same(
      `our variable ${name} readonly`,
      {
        line: `echo a; readonly __sf_${name}`,
        fate: "replaced",
        // Without it the shell cannot keep the code, and ends with one of its own.
        ...((name === "rc" || name === "on") && { output: "a\n", end: 1 }),
      },
      ONLY_BASH,
    )
  ),
  same(
    "our mark readonly",
    { line: "echo a; readonly SHELLFLOW_MARK", fate: "replaced" },
    ONLY_BASH,
  ),
  same("functions that cannot be unset", {
    line: `${shadow(["builtin"])}; readonly -f builtin; echo a; (exit 6)`,
    fate: "replaced",
  }, ONLY_BASH),
  same("IFS readonly", { line: "echo a; readonly IFS; (exit 6)" }),
  same(
    "a trap on DEBUG that skips all commands",
    { line: "shopt -s extdebug; echo a; trap false DEBUG; echo b", fate: "replaced" },
    ONLY_BASH,
  ),
  same("a restricted shell", { line: "set -r; echo a", output: "a\n", end: 0, fate: "replaced" }, {
    zsh: "as set -r of bash",
    dash: "cannot be restricted",
  }),
  same("all that the shell could say anything with taken away", {
    line: "echo a; enable -n exit trap printf read",
    output: "a\n",
    end: 127,
    fate: "replaced",
  }, ONLY_BASH),
  same("builtins that take orders taken away", {
    line: "enable -n read eval export mapfile; echo a",
  }, {
    zsh: { line: "disable read eval . return; echo a" },
    dash: "cannot disable builtins",
  }),
  same("PATH of nothing", { line: "PATH=; echo a" }),
  same("umask 777", { line: "umask 777; echo a" }),
  same("noclobber and an end", { line: "set -C; echo a; exit 3", fate: "replaced" }),
  same("a trap on RETURN", { line: "trap 'echo r' RETURN; g() { :; }; g; echo a" }, {
    zsh: "has no such trap",
    dash: "has no such trap",
  }),
  same("other ways to read a line", { line: "shopt -s lastpipe extglob nullglob; echo a" }, {
    zsh: { line: "emulate sh; setopt ksharrays rcquotes noclobber posixtraps; echo a" },
    dash: "has none",
  }),
  same("aliases at any place of a line", { line: "", output: "" }, {
    bash: "has none",
    zsh: { line: "alias -g eval=no D=E 1=2 I=x; echo a", output: "a\n" },
    dash: "has none",
  }),
  same("a trap on EXIT with a name of its own", { line: "" }, {
    bash: "has none",
    zsh: { line: "TRAPEXIT() { echo bye; }; exit 3", fate: "replaced" },
    dash: "has none",
  }),
];
