import { alone } from "../alone.ts";

/** What a detached command needs of its wrapper. */
export interface WrapOptions {
  /** The common beginning of its files. */
  readonly base: string;
  /** The command's own PATH, if it has one; the wrapper finds its programs by that of its environment. */
  readonly path: string | undefined;
  /** Where bash is; without it the command keeps the descriptors that it inherits. */
  readonly bash: string | undefined;
}

/** The program to start, with its arguments, that runs a detached command. */
export function wrapped(
  command: readonly string[],
  { base, path, bash }: WrapOptions,
): readonly [program: string, ...args: string[]] {
  const name = "shellflow-detached";
  const given = path === undefined ? "" : `PATH=${path}`;
  return alone(["/bin/sh", "-c", WRAPPER, name, base, given, ...command], { name, bash });
}

/** Those that end a process and come from outside, as POSIX names them. */
const SIGNALS = "HUP INT QUIT ABRT ALRM PIPE TERM USR1 USR2 PROF VTALRM XCPU XFSZ";

/**
 * The program around a detached command, in the shell that every POSIX system has: $1 is the common
 * beginning of its files, $2 the command's PATH unless it has none, the rest is the command.
 *
 * - A pipe carries the output to the log, as in a file `> /dev/stderr` would delete all that came
 *   before. Its reader lives on for background children that hold it; it is none of those that the
 *   command leaves, so that its mark is emptied. The end is noted at once, and told half a second
 *   later at the most, or ten while the reader is at work: who waits for the end is to find all of
 *   it. The time of the file stays that of the end.
 * - The signals by which a group is ended find the command; the wrapper outlives them and records
 *   how it ended, in a file that is whole from the moment it is there, and on the disk before the
 *   wrapper ends: no power loss after that takes it back. One that comes before the command has
 *   started keeps it from starting.
 * - The file with the identity is the host's to write; the wrapper does it when the host died first.
 * - What the shells before this one say is not the command's: of a locale that is not there, say.
 * - Variables have a prefix, as one of the command's own would be exported with a new value.
 */
const WRAPPER = `
exec 2>&1
shellflow_early=
trap 'shellflow_early=1' ${SIGNALS}
shellflow_base=$1
shellflow_path=$2
shift 2
note() {
  (umask 077
    shellflow_file=$1
    shift
    printf '%s\\n' "$@" > "$shellflow_file.new")
}
publish() {
  sync "$1.new" 2>/dev/null
  mv -f "$1.new" "$1" && sync "\${1%/*}" 2>/dev/null
}
start_time() {
  read -r shellflow_stat < "/proc/$$/stat" || return
  set -- \${shellflow_stat##*) }
  echo "\${20}"
}
works() {
  read -r shellflow_stat < "/proc/$shellflow_reader/stat" || return
  set -- \${shellflow_stat##*) }
  case $1 in [RD]) return 0 ;; esac
  return 1
} 2>/dev/null
if ! [ -e "$shellflow_base.pid" ]; then
  note "$shellflow_base.pid" $$ "$(start_time 2>/dev/null)" \\
    "$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)" && publish "$shellflow_base.pid"
fi
mkfifo -m 600 "$shellflow_base.fifo" || exit
(trap '' ${SIGNALS}
  SHELLFLOW_DETACHED=
  exec tee -a "$shellflow_base.log" < "$shellflow_base.fifo" > /dev/null) &
shellflow_reader=$!
exec 3> "$shellflow_base.fifo"
rm -f "$shellflow_base.fifo"
shellflow_code=143
if [ -z "$shellflow_early" ]; then
  (case $shellflow_path in
    PATH=*) export "$shellflow_path" ;;
    *) unset PATH ;;
  esac
  exec "$@") >&3 2>&3 3>&-
  shellflow_code=$?
fi
exec 3>&-
shellflow_noted=
note "$shellflow_base.exit" "$shellflow_code" && shellflow_noted=1
shellflow_looks=0
while kill -0 "$shellflow_reader" 2>/dev/null &&
  { [ "$shellflow_looks" -lt 25 ] || { [ "$shellflow_looks" -lt 500 ] && works; }; }; do
  sleep 0.02 2>/dev/null || sleep 1
  shellflow_looks=$((shellflow_looks + 1))
done
{ [ -n "$shellflow_noted" ] || note "$shellflow_base.exit" "$shellflow_code"; } &&
  publish "$shellflow_base.exit"
`;
