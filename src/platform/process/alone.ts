/**
 * The program to start, with its arguments, so that another one holds nothing but its standard
 * descriptors.
 *
 * @param name What the shell that sees to it is called.
 * @param bash Where bash is; without it the program keeps the descriptors that it inherits.
 */
export function alone(
  command: readonly [program: string, ...args: string[]],
  { name, bash }: { readonly name: string; readonly bash: string | undefined },
): readonly [program: string, ...args: string[]] {
  return bash === undefined
    ? command
    : [bash, "--noprofile", "--norc", "-p", "-c", ALONE, name, ...command];
}

/**
 * Lets go of every descriptor but the standard ones, and becomes the program that its arguments tell.
 * What a host inherited, or Deno copied, may be the output of a command that the host runs in, which
 * would wait for this process then. In bash, as a POSIX shell need not know descriptors above 9;
 * privileged, as it would do what BASH_ENV says first; and without its startup files, as bash reads
 * those of the user where its input is a socket, as that of a watchdog is, and SHLVL is not set, as in
 * a service.
 */
const ALONE = `
for shellflow_fd in /dev/fd/*; do
  case \${shellflow_fd##*/} in
    [012] | *[!0-9]*) ;;
    *) eval "exec \${shellflow_fd##*/}>&-" ;;
  esac
done
exec "$@"
`;
