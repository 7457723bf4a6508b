import { PATH_TABLES } from "../../paths/programs/programs.ts";
import { RUNNERS, WRAPPERS } from "../../unwrap/wrappers.ts";

/** Words that bash never takes for a program's name where a command begins. */
export const RESERVED: ReadonlySet<string> = new Set(
  "then do done fi esac } { elif else ! [[ ]] case in if while until for select function coproc ))"
    .split(" "),
);

/** What cannot follow `time` as a simple command. */
export const COMPOUND_STARTS: ReadonlySet<string> = new Set(
  "{ ( [[ (( ! if while until for select case function coproc time".split(" "),
);

const MORE =
  "alias bash bg bind break builtin bun cargo cd clang cmake command continue declare deno dig dirs disown docker echo enable " +
  "env eval exec exit export false fc fg fi gcc gh git go gradle hash help history java javac jobs kill kubectl let " +
  "local logout make mapfile mvn node npm npx perl php ping pip pip3 pnpm popd printf ps pushd pwd pytest python python3 " +
  "read readonly return ruby rustc select service set sh shift shopt sleep source ssh sudo suspend systemctl terraform test times " +
  "trap true tsc type typeset ulimit umask unalias unset uv wait which whoami yarn zsh [ : .";

/** Programs whose name a function of the line must not take. */
export const KNOWN_PROGRAMS: ReadonlySet<string> = new Set([
  ...PATH_TABLES.keys(),
  ...WRAPPERS.keys(),
  ...RUNNERS.keys(),
  ...MORE.split(" "),
]);
