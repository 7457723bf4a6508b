# The wrapper of a detached command, in the shell that every POSIX system has.
#
# Arguments: the common beginning of its files, `PATH=` and the command's PATH or nothing when it has
# none, and the command.
#
# - A pipe carries the output to the log, as in a file `> /dev/stderr` would delete all that came
#   before. Its reader goes on for background children that hold it, and is no process of the command: its
#   mark is emptied.
# - The exit code is noted at once, and published half a second later at the most, or ten while the
#   reader is at work, so that readers of the end find all of the output. The time of the file stays
#   that of the end.
# - The file of the exit code is made when the command starts, without a code: a signal between the last look at
#   shellflow_early and then is lost, as the shell that becomes the command does not pass it on.
# - The signals by which a group is ended reach the command; the wrapper ignores them and records how
#   the command ended, in a file that is whole from the moment it is there, and on the disk before the
#   wrapper ends. A signal that comes before the command has started keeps it from starting.
# - What this shell says of the signal that ended the command is not the command's.
# - Messages of the shells before this one, as about a missing locale, are not the command's.
# - Variables have a prefix, as one of the command's own would be exported with a new value.
#
# shellcheck shell=sh

exec 2>&1
shellflow_early=
trap 'shellflow_early=1' HUP INT QUIT ABRT ALRM PIPE TERM USR1 USR2 PROF VTALRM XCPU XFSZ
shellflow_base=$1
shellflow_path=$2
shift 2

note() {
  (umask 077
    echo "$shellflow_code" > "$shellflow_base.exit.new")
}

# Whether the reader of the pipe is at work.
works() {
  { read -r shellflow_stat < "/proc/$shellflow_reader/stat"; } 2>/dev/null || return
  # shellcheck disable=SC2086
  set -- ${shellflow_stat##*) }
  case $1 in [RD]) return 0 ;; esac
  return 1
}

shellflow_code=143
if mkfifo -m 600 "$shellflow_base.fifo"; then
  # shellcheck disable=SC2094
  # Open to read and write at first: the opening of one end alone waits for the other one, whose opener
  # a signal may have ended.
  exec 4<> "$shellflow_base.fifo" 5< "$shellflow_base.fifo" 3> "$shellflow_base.fifo" 4>&-
  (trap '' HUP INT QUIT ABRT ALRM PIPE TERM USR1 USR2 PROF VTALRM XCPU XFSZ
    export SHELLFLOW_DETACHED=
    exec tee -a "$shellflow_base.log" <&5 5<&- 3>&- > /dev/null) & shellflow_reader=$!
  exec 5<&-
  rm -f "$shellflow_base.fifo"
  if [ -z "$shellflow_early" ]; then
    # shellcheck disable=SC2163
    { (shellflow_code=
      note
      case $shellflow_path in PATH=*) export "$shellflow_path" ;; *) unset PATH ;; esac
      exec "$@") >&3 2>&3 3>&-
    shellflow_code=$?; } 2>/dev/null
  fi
  exec 3>&-
elif [ -z "$shellflow_early" ]; then
  exit 1
fi
# A signal may have ended those that make and remove it.
[ -z "$shellflow_early" ] || rm -f "$shellflow_base.fifo"

shellflow_noted=
note && shellflow_noted=1
shellflow_looks=0
while kill -0 "$shellflow_reader" 2>/dev/null && { [ "$shellflow_looks" -lt 25 ] || { [ "$shellflow_looks" -lt 500 ] && works; }; }; do
  sleep 0.02 2>/dev/null || sleep 1
  shellflow_looks=$((shellflow_looks + 1))
done
if [ -n "$shellflow_noted" ] || note; then
  sync "$shellflow_base.exit.new" 2>/dev/null
  mv -f "$shellflow_base.exit.new" "$shellflow_base.exit" && sync "${shellflow_base%/*}" 2>/dev/null
fi
