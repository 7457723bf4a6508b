import { closeDescriptors } from "./close-descriptors.ts";

/**
 * The program to start, with its arguments, so that another one holds nothing but its standard
 * descriptors.
 *
 * Bash is privileged, as it would do what BASH_ENV says first; and without its startup files, which it
 * reads where its input is a socket, as that of a watchdog is, and SHLVL is not set, as in a service.
 *
 * @param name The name of the shell that closes the others.
 * @param bash Where bash is; without it the program keeps the descriptors that it inherits.
 */
export function withStandardDescriptors(
  command: readonly [program: string, ...args: string[]],
  { name, bash }: { readonly name: string; readonly bash: string | undefined },
): readonly [program: string, ...args: string[]] {
  return bash === undefined
    ? command
    : [bash, "--noprofile", "--norc", "-p", "-c", closeDescriptors, name, ...command];
}
