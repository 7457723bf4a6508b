import { MARK } from "../mark.ts";

/**
 * The program of the watchdog, in the shell that every POSIX system has.
 *
 * It reads `+ GROUP START`, with the start time of the leader, and `- GROUP` until its input, which
 * only the host holds, ends: `q` says that all is well. Otherwise it ends the groups that are left,
 * and whoever carries the mark or holds a pipe of the host. A group that was empty at a look, or in
 * which another process has the pid of the leader, is that of somebody else by now. Where /proc has
 * another number for this shell, it is that of another pid namespace, and tells of nobody here. $1 is
 * the runtime's id, $2 the grace, $3 the host as PID:START, who is let go by himself: what ends him
 * closes the lifeline before it closes the pipes that he holds. They come as arguments, so that its
 * own environment does not carry the mark.
 *
 * Only a word of the mark tells whose a process is, and only a link as of `fifoPool`: others have the
 * id in their variables and its files open, too. What `grep` finds first may be in any variable, as
 * not every one can tell them apart.
 *
 * Where the system has no more processes to give, what takes one ends a POSIX shell, unless by way of
 * `command eval`; and it keeps the pipe that it made for what it then cannot start, so it tries with
 * one that takes no pipe first. So the groups, which may be what took them all, are signalled by what
 * is built in, before anything else; and a look that was cut short proves nothing. A clock that
 * cannot be read goes on, so that all this ends.
 */
export const PROGRAM: string = `
trap '' HUP INT QUIT TERM TSTP TTIN TTOU PIPE USR1 USR2
cd /
host=$3
self=
read -r self _ < /proc/self/stat
groups=' '
while read -r what group start; do
  case $what in
    +) groups="$groups$group:$start " ;;
    -)
      case $groups in
        *" $group:"*)
          after=\${groups#*" $group:"}
          groups="\${groups%%" $group:"*} \${after#* }"
          ;;
      esac
      ;;
    q) exit 0 ;;
  esac
done
marked() {
  [ "$self" = $$ ] || return 0
  grep -lsF -e "$1/" /proc/[0-9]*/environ | while read -r file; do
    mark=$(tr '\\0\\n' '\\n ' < "$file" | sed -n 's/^${MARK}=/ /p') || exit
    case $mark in
      *" $1/"*) echo "$file" ;;
    esac
  done || return
  ls -l /proc/[0-9]*/fd/ | while read -r line; do
    case $line in
      /proc/*/fd/:) at=$line ;;
      *"-> "*/"$1"-*/[0-9]*" (deleted)") echo "$at" ;;
    esac
  done
}
look() {
  files=
  looked=
  command eval '(:)' && command eval 'files=$(marked "$1")' && looked=1
  found=
  for file in $files; do
    pid=\${file#/proc/}
    pid=\${pid%%/*}
    stat_of "$pid" || continue
    [ "$pid:$leader" != "$host" ] || continue
    case " $$ $found$groups" in
      *" $pid "* | *" $pgrp:"*) ;;
      *) found="$found$pid " ;;
    esac
  done
}
stat_of() {
  leader=
  read -r stat < "/proc/$1/stat" || return
  set -- \${stat##*) }
  pgrp=$3
  leader=\${20}
}
grouped() {
  ours=' '
  for group in $groups; do
    kill -s 0 -- "-\${group%%:*}" || continue
    start=\${group#*:}
    stat_of "\${group%%:*}"
    case $start:$leader in
      "$start:$start" | :* | *:) ours="$ours$group " ;;
    esac
  done
  groups=$ours
  [ "$groups" != ' ' ]
}
send() {
  grouped
  for group in $groups; do kill -s "$1" -- "-\${group%%:*}"; done
}
alive() { grouped || [ -n "$found" ] || [ -z "$looked" ]; }
clock=0
now() {
  if read -r up _ < /proc/uptime; then
    clock=\${up%%.*}
  else
    command eval 'clock=$(date +%s)' || clock=$((clock + 1))
  fi
}
pause() { command eval 'sleep "$1" || sleep 1'; }
send TERM
send CONT
now
end=$((clock + $2))
asked=' '
everybody=
while look "$1"; alive; do
  [ -n "$everybody" ] || for pid in $found; do
    case $asked in
      *" $pid "*) continue ;;
    esac
    kill -s TERM "$pid"
    kill -s CONT "$pid"
    asked="$asked$pid "
  done
  everybody=$everybody$looked
  now
  [ "$clock" -lt "$end" ] || break
  pause 0.2
done
end=$((clock + 10))
rounds=0
while send KILL; look "$1"; alive && { [ "$rounds" -lt 40 ] || [ "$clock" -lt "$end" ]; }; do
  for pid in $found; do kill -s KILL "$pid"; done
  pause 0.1
  rounds=$((rounds + 1))
  now
done
`;
