import type { FlagNames } from "../flags.ts";

/** Options with which `tar` runs another program. */
export const TAR_RUNS: FlagNames = {
  long: [
    "--use-compress-program",
    "--to-command",
    "--checkpoint-action",
    "--info-script",
    "--new-volume-script",
    "--rsh-command",
  ],
  short: "IF",
};

/** Options with which a harmless program runs another one. */
export const RUNS: ReadonlyMap<string, FlagNames> = new Map([
  ["rg", { long: ["--pre", "--hostname-bin", "--search-zip"], short: "z" }],
  ["ag", { long: ["--pager"] }],
  ["sort", { long: ["--compress-program"] }],
  ["split", { long: ["--filter"] }],
  ["tar", TAR_RUNS],
  ["man", { long: ["--pager", "--html", "--preprocessor", "--config-file"], short: "PHC" }],
  ["file", { long: ["--magic-file", "--files-from", "--compile"] }],
  ["diff3", { long: ["--diff-program"] }],
  ["sdiff", { long: ["--diff-program"] }],
  ["rsync", { long: ["--rsh", "--rsync-path"], short: "e" }],
  ["bat", { long: ["--pager"] }],
  ["cloc", { long: ["--extract-with", "--vcs"] }],
  ["make", { long: ["--eval"] }],
  ["go", { long: ["-exec", "-toolexec", "-vettool"] }],
  ["zip", { long: ["--unzip-command"], short: "TT" }],
  ["ip", { long: ["-batch"] }],
  ["less", { short: "+" }],
  ["git", {
    long: [
      "--exec-path",
      "--upload-pack",
      "--receive-pack",
      "--ext-diff",
      "--textconv",
      "--open-files-in-pager",
    ],
  }],
]);
