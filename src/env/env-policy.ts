import type { ProfileName } from "./profiles.ts";

/** Which variables a command gets. Patterns of names know `*` and `?`, in either case. */
export interface EnvPolicy {
  /** What is taken over from the host: everything, what programs commonly need, or nothing. Default: "core". */
  readonly inherit?: "all" | "core" | "none";
  /** Let secrets of the host pass: no default exclude applies. Default: false. */
  readonly keepSecrets?: boolean;
  /** Variables of the host that are left out beside the default excludes. */
  readonly exclude?: readonly string[];
  /** Variables that keep programs from waiting for a person. Default: "non-interactive". */
  readonly profile?: ProfileName;
  /** Variables that every command gets, over the host's and the profile's. */
  readonly set?: Readonly<Record<string, string>>;
  /** When given, every other variable is dropped: the host's, those set here, and the command's own. */
  readonly includeOnly?: readonly string[];
  /** Variables that a command may set though they change what its line means, as `BASH_ENV`. */
  readonly allowDangerous?: readonly string[];
}

/** Variables that programs commonly need, which is what `inherit: "core"` takes over. */
export const CORE_VARIABLES: readonly string[] = [
  "HOME",
  "LOGNAME",
  "PATH",
  "SHELL",
  "USER",
  "USERNAME",
  "TMPDIR",
  "TEMP",
  "TMP",
  "LANG",
  "LC_*",
  "TERM",
  "TZ",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "FTP_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "SSH_AUTH_SOCK",
];

/** Names of variables that commonly hold secrets. */
export const DEFAULT_EXCLUDES: readonly string[] = [
  "*KEY*",
  "*SECRET*",
  "*TOKEN*",
  "*PASSW*",
  "*PASSPHRASE*",
  "*CREDENTIAL*",
  "*_PWD",
];
