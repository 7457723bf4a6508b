import * as v from "valibot";
import { checkFields } from "../../value/check-fields.ts";
import { messageOf } from "../failure.ts";
import { checkDirectory } from "../file/directories.ts";
import { removeAtExit, uniqueTemporaryPath } from "../file/temporary.ts";
import { writeTrustedFile } from "../file/trusted-file.ts";
import { environment } from "./environment.ts";
import { DEFAULT_PATH, findProgram } from "./find-program.ts";
import { markedOutput, OUTPUT_MARK, READING_FILES } from "./marked-output.ts";

/** How a snapshot is taken. */
export interface BashSnapshotOptions {
  /** The variables that bash starts with; default those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** How long it may take, in milliseconds; default 5 000. */
  readonly timeoutMs?: number;
}

const schema = v.strictObject({
  env: v.exactOptional(v.record(v.string(), v.string())),
  timeoutMs: v.exactOptional(v.pipe(v.number(), v.gtValue(0), v.ltValue(2 ** 31))),
});

/**
 * Prints a file that defines the same, but for functions of completion, which begin with one `_`. A name
 * is not to mean its program in another way: an alias that only gives it options, as `rm -i`, is for
 * terminals, and so are options such as `noclobber`.
 *
 * The functions come last: they may have the names of what the file runs.
 */
const FILE = [
  // Scripts that a command starts are not to have it.
  "\\builtin echo 'unset BASH_ENV'",
  "\\builtin shopt -p dotglob failglob globstar nocaseglob nullglob",
  'for __sf_n in "${!BASH_ALIASES[@]}"; do case ${BASH_ALIASES[$__sf_n]} in "$__sf_n" | "$__sf_n "*) ;; *) \\builtin alias -- "$__sf_n" ;; esac; done',
  "\\builtin printf 'export PATH=%q\\n' \"$PATH\"",
  "\\builtin echo 'shopt -s extglob'",
  'while \\builtin read -r _ _ __sf_n; do case $__sf_n in _[!_]* | command_not_found_handle) ;; *) \\builtin declare -f -- "$__sf_n" ;; esac; done < <(\\builtin declare -F)',
  "\\builtin echo 'builtin shopt -u extglob; builtin shopt -s expand_aliases'",
].join("\n");
/** Prints it once it is known to be valid; first it undoes what would change that, such as a trap that prints. */
const SCRIPT = `\\builtin trap - DEBUG ERR; \\builtin set +eux +o posix; IFS=$' \\t\\n'
__sf_f=$(\n${FILE}\n)
"$BASH" --noprofile --norc -O extglob -n <<<"$__sf_f" &&
  \\builtin printf '%s%s\\n%s' '${OUTPUT_MARK}' "$__sf_f" '${OUTPUT_MARK}'`;

/**
 * Take a snapshot of what the user's own bash has: the functions, aliases, options for patterns and
 * `PATH` that it gets from `~/.bashrc`, as a file for the option `bashEnv` of a runtime.
 *
 * @returns The path of the file, which is for this user alone, and goes with this process.
 * @throws {TypeError} When an option cannot be used.
 * @throws {Error} When bash cannot start, gives nothing that is valid, or takes too long; it is ended then.
 */
export async function bashSnapshot(options: BashSnapshotOptions = {}): Promise<string> {
  checkFields(schema, options, "Cannot take a snapshot of bash with");
  const { env = environment(), timeoutMs = 5_000 } = options;
  const cannot = (why: string) => new Error(`Cannot take a snapshot of bash: ${why}`);
  const file = findProgram("bash", env["PATH"] ?? DEFAULT_PATH);
  if (file === undefined) throw cannot("there is no such program");
  const home = env["HOME"] ?? "/";
  const { path: directory, remove } = uniqueTemporaryPath("shellflow-snapshot");
  // A protected name: a command that writes there is a question.
  const path = `${directory}/.bashrc`;
  try {
    const text = await markedOutput([file, "-ic", SCRIPT], {
      cwd: checkDirectory(home) === undefined ? home : "/",
      env: { ...env, [READING_FILES]: "1" },
      timeoutMs,
    });
    writeTrustedFile(path, text);
    removeAtExit(directory);
    return path;
  } catch (cause) {
    remove();
    throw cannot(messageOf(cause));
  }
}
