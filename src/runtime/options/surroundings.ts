import type { ParseOptions } from "../../command/parse.ts";
import type { ConstructOptions, ShellProgram } from "../../env/construct.ts";
import type { Variables } from "../../env/build-environment.ts";
import { environment } from "../../platform/environment/environment.ts";
import { findProgram } from "../../platform/environment/find-program.ts";
import { absolutePath } from "../../platform/file/paths.ts";
import type { AdmissionOptions } from "../../session/admission.ts";
import type { SnapshotFailed, SnapshotTaken } from "../../event/env.ts";
import { defined } from "../../value/defined.ts";
import { bashEnvOf } from "./bash-env.ts";
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
  { cwd, base, shell, otherShells, report }: {
    readonly cwd: string;
    readonly base: Variables;
    readonly shell: ShellProgram;
    readonly otherShells: () => readonly ShellProgram[];
    readonly report: (event: SnapshotTaken | SnapshotFailed) => void;
  },
): Promise<Surroundings> {
  const policy = typeof env === "function" ? {} : env;
  const left = envFile && absolutePath(cwd, envFile);
  const led = (shell: ShellProgram) => prefix ? prefixed(shell, prefix, cwd) : shell;
  return {
    parse: defined({ envFile: left }),
    construct: {
      fixed: defined({ SHELLFLOW_ENV_FILE: left }),
      shell: led(shell),
      otherShells: () => otherShells().map(led),
    },
    sessions: {
      bashEnv: bashEnv === undefined
        ? undefined
        : await bashEnvOf(bashEnv, { file: shell.file, cwd, base, policy }, report),
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
