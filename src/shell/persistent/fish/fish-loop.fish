# The loop of a persistent fish on a terminal. `fish -i -c` runs it, and comes to no prompt: the line
# editor would change the modes of the terminal and ask it what it can do.
#
# The host replaces @bell@, @orders@ and @state@ as in bash-loop.bash; state and reports are the same. An
# order is a file that the loop sources, several times: what it does depends on __sf_k.
#   I  waits for an order: takes number, reports and mark, and runs what goes before the command.
#      Then __sf_k is b where that could be done, and otherwise N: it could not.
#   b  begins: sets __sf_k to c, prints the mark, runs the command, and sets __sf_k to D: done.
#   D  or N: what goes after the command.
#
# - Ctrl-C on fish itself would end all that it runs, up to the last line of `-c`. With a function for
#   INT it does not; that function exits, and an exit ends the file that is sourced, and not the loop.
#   Between commands it does nothing.
# - After an exit of the command, __sf_k is still c. So it is where INT or QUIT has ended a program in a
#   function or in a block with redirections, from fish 4.8 on: an exit with the code of these is taken
#   for that, and ends the line alone.
# - `return`, `break` and `continue` end at the function that evaluates the command; it has no scope, so
#   that variables are those of the session.
# - `builtin` stands before what a function could replace; `test`, `set` and `eval` none can.
# - Only with a function for WINCH it sets COLUMNS and LINES without a prompt.
# - Of what it is redirected to itself, `read` drops what comes after the first line.
# - What `set -x` shows of a list with a quote in it is no fish: each value is escaped here.
# - Messages of fish itself go to its own standard error: that is the terminal, always.

function __sf_s
  return $argv[1]
end
function __sf_c --no-scope-shadowing
  eval $__sf_e
end
function __sf_i --on-signal INT
  if test "$__sf_k" = c
    set -g __sf_k i
    builtin exit 130
  end
end
function __sf_g
  set -l IFS \n
  for __sf_v in (builtin set -gxn)
    builtin echo $__sf_v (builtin string escape -- $$__sf_v)
  end
end
function __sf_x --on-event fish_exit
  begin
    __sf_g
    and builtin printf '\0\0\0=%s\0\n' $PWD
  end >@state@
  and builtin printf 'L 0 %d \n' "$__sf_n" >$__sf_r
end
function __sf_w --on-signal WINCH
end
function fish_title
end
builtin status job-control full
set -g __sf_k I
while test 1 = 1
  if test "$__sf_k" != I
    builtin source @orders@
    builtin functions -q __sf_c __sf_g __sf_i __sf_s
    and begin
      builtin printf '\0!'
      __sf_g
      and builtin printf '\0'
      and builtin functions -na
      and builtin printf '\0\0=%s' $PWD
      and builtin printf '\0x%s' "$CDPATH" "$IFS" "$fish_function_path"
      and builtin printf '\0\n'
    end >@state@
    and builtin printf '%s %d %d %s\n' $__sf_k $__sf_rc $__sf_n "$last_pid" >$__sf_r
    or builtin exit $__sf_rc
  end
  set -g __sf_k I
  begin
    builtin read -g __sf_x
  end <@bell@
  and begin
    builtin source @orders@
    test "$__sf_x" = "$__sf_n"
  end
  and begin
    builtin read -g __sf_x
  end <@bell@
  or builtin exit 1
  if test $__sf_k = b
    builtin source @orders@
    set -g __sf_rc $status
    switch $__sf_k$__sf_rc
      case 'i*'
        set -g __sf_rc 130
        set -g __sf_k D
      case c130 c131
        set -g __sf_k D
      case 'c*'
        builtin exit $__sf_rc
    end
  end
end
