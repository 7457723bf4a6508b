import type { ParseOptions } from "../../command/parse.ts";
import type { ConstructOptions, ShellProgram } from "../../env/construct.ts";
import type { Variables } from "../../env/build-environment.ts";
import { environment } from "../../platform/environment/environment.ts";
import { findProgram } from "../../platform/environment/find-program.ts";
import { absolutePath } from "../../platform/file/paths.ts";
import type { AdmissionOptions } from "../../session/admission.ts";
import { defined } from "../../value/defined.ts";
import { bashEnvState } from "./bash-env.ts";
import { leftVariables } from "./env-file.ts";
import type { RuntimeOptions } from "./options.ts";

export interface Surroundings {
  readonly parse: Pick<ParseOptions, "envFile">;
  readonly construct: Pick<ConstructOptions, "fixed" | "otherShells"> & {
    readonly shell: ShellProgram;
  };
  readonly sessions: Pick<AdmissionOptions, "bashEnv" | "leftVariables">;
}

/** @throws {TypeError} When the program or the file of bash cannot be used. */
export async function surroundingsOf(
  { prefix, bashEnv, envFile, env = {} }: RuntimeOptions,
  { cwd, base, shell, otherShells }: {
    readonly cwd: string;
    readonly base: Variables;
    readonly shell: ShellProgram;
    readonly otherShells: () => readonly ShellProgram[];
  },
): Promise<Surroundings> {
  const policy = typeof env === "function" ? {} : env;
  const fixed = defined({
    BASH_ENV: bashEnv && absolutePath(cwd, bashEnv),
    SHELLFLOW_ENV_FILE: envFile && absolutePath(cwd, envFile),
  });
  const { BASH_ENV: path, SHELLFLOW_ENV_FILE: left } = fixed;
  const led = (shell: ShellProgram) => prefix ? prefixed(shell, prefix, cwd) : shell;
  return {
    parse: defined({ envFile: left }),
    construct: {
      fixed,
      shell: led(shell),
      otherShells: () => otherShells().map(led),
    },
    sessions: {
      bashEnv: path === undefined
        ? undefined
        : await bashEnvState(path, { file: shell.file, cwd, base, policy }),
      leftVariables: left === undefined ? undefined : leftVariables(left, policy),
    },
  };
}

/** A shell that another program starts, found in the PATH of the host and never in that of a command. */
function prefixed(
  shell: ShellProgram,
  [name = "", ...words]: readonly string[],
  cwd: string,
): ShellProgram {
  const file = findProgram(name, environment()["PATH"] ?? "", cwd);
  if (file === undefined) {
    throw new TypeError(`Cannot use prefix "${name}": there is no such program`);
  }
  return { ...shell, file, leading: [...words, shell.file] };
}
