# The watchdog, in the shell that every POSIX system has. It ends what a host leaves behind.
#
# Arguments: the runtime's id, the grace in seconds, the host as PID:START, and what to delete, if
# anything, once no process is left. They come as arguments, so that its own environment does not carry
# the mark.
#
# Input: `+ GROUP START` with the start time of the leader; `- GROUP` when the group has ended; `q` when
# the host ends in order. When the input ends without `q`, the host is dead.
#
# - A group that is empty, or whose leader's pid belongs to another process, is forgotten.
# - A process that left its group is known by a word of its mark, or by an open FIFO of the host, which
#   has the runtime's id in its name.
# - What `grep` finds first may be in any variable: not every grep separates lines by NUL.
# - The host itself may still be there: its lifeline closes before its pipes do.
# - Where /proc has another number for this shell, it is that of another pid namespace: then only
#   groups are signalled.
# - Where the system has no more processes to give, starting one ends a POSIX shell, unless it is done by
#   `command eval`. So the groups, which may have taken them all, are signalled by builtins, and before
#   anything else; and a search that was cut short proves nothing.
#
# shellcheck shell=sh

trap '' HUP INT QUIT TERM TSTP TTIN TTOU PIPE USR1 USR2
cd / || exit
id=$1
grace=$2
host=$3
temporary=$4
self=
read -r self _ < /proc/self/stat
groups=' '
while read -r what name start; do
  case $what in +) groups="$groups$name:$start " ;;
    -) case $groups in *" $name:"*) after=${groups#*" $name:"} groups="${groups%%" $name:"*} ${after#* }" ;; esac ;;
    q) exit 0 ;;
  esac
done

# The files in /proc by which processes of the host are known.
marked() {
  [ "$self" = $$ ] || return 0
  grep -lsF -e "$id/" /proc/[0-9]*/environ | while read -r file; do
    mark=$(tr '\0\n' '\n ' < "$file" | sed -n 's/^SHELLFLOW_MARK=/ /p') || exit
    case $mark in *" $id/"*) echo "$file" ;; esac
  done || return
  # shellcheck disable=SC2012
  ls -l /proc/[0-9]*/fd/ | while read -r line; do
    case $line in /proc/*/fd/:) at=$line ;;
      *"-> "*/"$id"-*/[0-9]*" (deleted)") echo "$at" ;;
    esac
  done
}

# Sets found, to the pids of those that no group has; looked is empty when the search was cut short.
look() {
  files=
  looked=
  command eval '(:)' && command eval 'files=$(marked)' && looked=1
  found=
  for file in $files; do
    pid=${file#/proc/}
    pid=${pid%%/*}
    stat_of "$pid" || continue
    [ "$pid:$leader" != "$host" ] || continue
    case " $$ $found$groups" in *" $pid "* | *" $pgrp:"*) ;;
      *) found="$found$pid " ;;
    esac
  done
}

# Sets pgrp and leader, the start time.
stat_of() {
  leader=
  read -r stat < "/proc/$1/stat" || return
  # shellcheck disable=SC2086
  set -- ${stat##*) }
  pgrp=$3
  leader=${20}
}

# Keeps the groups that are still there; answers whether any is.
grouped() {
  ours=' '
  for entry in $groups; do
    group=${entry%%:*}
    kill -s 0 -- "-$group" || continue
    start=${entry#*:}
    stat_of "$group"
    case $start:$leader in "$start:$start" | :* | *:) ours="$ours$entry " ;; esac
  done
  groups=$ours
  [ "$groups" != ' ' ]
}

send() {
  grouped
  for entry in $groups; do kill -s "$1" -- "-${entry%%:*}"; done
}

alive() { grouped || [ -n "$found" ] || [ -z "$looked" ]; }

# A clock that cannot be read goes on, so that all this ends.
clock=0
now() {
  if read -r up _ < /proc/uptime; then
    clock=${up%%.*}
  else
    command eval 'clock=$(date +%s)' || clock=$((clock + 1))
  fi
}
pause() { command eval 'sleep "$1" || sleep 1'; }

send TERM
send CONT
now
end=$((clock + grace))
asked=' '
complete=
while look; alive; do
  [ -n "$complete" ] || for pid in $found; do
    case $asked in *" $pid "*) continue ;; esac
    kill -s TERM "$pid"
    kill -s CONT "$pid"
    asked="$asked$pid "
  done
  complete=$complete$looked
  now
  [ "$clock" -lt "$end" ] || break
  pause 0.2
done

end=$((clock + 10))
rounds=0
while send KILL; look; alive && { [ "$rounds" -lt 40 ] || [ "$clock" -lt "$end" ]; }; do
  for pid in $found; do kill -s KILL "$pid"; done
  pause 0.1
  rounds=$((rounds + 1))
  now
done

# Where it is a link, that alone goes.
[ -z "$temporary" ] || rm -rf -- "$temporary"
