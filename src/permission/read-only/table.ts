import { type FlagNames, hasFlag, operandsOf } from "../flags.ts";
import { TAR_RUNS } from "../dangers/program-options.ts";
import { gitOnlyReads } from "./git.ts";
import type { Words } from "../words.ts";

type Test = (args: Words) => boolean;

const SAFE =
  "cat tac nl rev ls dir vdir pwd true false : echo df free uptime id groups whoami who w users tty nproc arch uname " +
  "basename dirname realpath readlink stat cut paste tr fold expand unexpand fmt pr column comm join tsort look cmp diff " +
  "seq expr factor numfmt getconf cd dirs jobs times sleep wait hexdump od strings nm readelf objdump " +
  "zipinfo cloc tokei scc test [ pgrep vmstat iostat md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum base64 " +
  "base32 grep egrep fgrep fd fdfind find sort wc du tree file rg ag head tail which type whereis date hostname ps lsof ss " +
  "netstat env printenv printf uniq sed awk gawk mawk xargs jq yq git xxd history hash command man tldr " +
  "npm yarn pnpm node deno python python3 ruby go rustc cargo java docker podman kubectl tar unzip bat less gh";

const UNSAFE: ReadonlyMap<string, FlagNames> = new Map([
  ["tail", { long: ["--follow", "--retry", "--pid"], short: "fF" }],
  ["printf", { short: "v" }],
  ["wc", { long: ["--files0-from"] }],
  ["du", { long: ["--files0-from", "--exclude-from"], short: "X" }],
  ["file", { long: ["--compile", "--magic-file", "--files-from", "--uncompress"], short: "CmfzZ" }],
  ["rg", {
    long: ["--pre", "--pre-glob", "--hostname-bin", "--search-zip", "--file", "--ignore-file"],
    short: "zf",
  }],
  ["ag", { long: ["--pager"], short: "z" }],
  ["fd", { long: ["--exec", "--exec-batch", "--list-details"], short: "xXl" }],
  ["fdfind", { long: ["--exec", "--exec-batch", "--list-details"], short: "xXl" }],
  ["find", {
    long: [
      "-exec",
      "-execdir",
      "-ok",
      "-okdir",
      "-delete",
      "-fls",
      "-fprint",
      "-fprint0",
      "-fprintf",
      "-files0-from",
    ],
  }],
  ["tree", { long: ["--fromfile"], short: "oR" }],
  ["sort", {
    long: [
      "--output",
      "--temporary-directory",
      "--compress-program",
      "--files0-from",
      "--random-source",
    ],
    short: "oT",
  }],
  ["date", { long: ["--set", "--file"], short: "sf" }],
  ["hostname", { long: ["--file", "--boot"], short: "Fb" }],
  ["base64", { short: "o" }],
  ["base32", { short: "o" }],
  ["xxd", { short: "r" }],
  ["ss", { long: ["--kill"], short: "K" }],
  ["jq", { long: ["--from-file", "--rawfile", "--slurpfile", "--argfile"], short: "fL" }],
  ["yq", { long: ["--inplace", "--split-exp"], short: "is" }],
  ["bat", { long: ["--pager", "--diff"] }],
  ["cloc", { long: ["--extract-with", "--vcs", "--list-file", "--config"] }],
  ["less", { short: "oOk+" }],
  ["man", {
    long: ["--pager", "--html", "--config-file", "--local-file", "--preprocessor", "--troff"],
    short: "PHCMlpXTZ",
  }],
  ["diff", { long: ["--to-file", "--from-file"] }],
  ["history", { short: "sawrcdpn" }],
]);

const VERSION: Test = (args) =>
  args.length === 1 && /^(?:--version|-v|-V|version)$/.test(args[0] ?? "");
const first = (names: string): Test => {
  const known = new Set(names.split(" "));
  return (args) => known.has(args[0] ?? "");
};
const either = (...tests: readonly Test[]): Test => (args) => tests.some((test) => test(args));
const without = (test: Test, flags: FlagNames): Test => (args) =>
  test(args) && !hasFlag(args, flags);

const TESTS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ["git", gitOnlyReads],
  ["uniq", (args) => operandsOf(args).length <= 1],
  ["hostname", (args) => operandsOf(args).length === 0],
  ["date", (args) => operandsOf(args).every((arg) => arg?.startsWith("+") === true)],
  ["xxd", (args) => operandsOf(args).length <= 1],
  ["env", (args) => args.length === 0],
  ["command", (args) => args[0] === "-v" || args[0] === "-V"],
  ["hash", (args) => args.length === 0],
  ["ps", (args) => args.every((arg) => arg !== null && !/^[a-z]*e[a-z]*$/.test(arg))],
  ["less", () => false],
  ["sed", sedOnlyReads],
  ["awk", awkOnlyReads],
  ["gawk", awkOnlyReads],
  ["mawk", awkOnlyReads],
  ["xargs", (args) => !hasFlag(args, { long: ["--arg-file", "--replace"], short: "aIi" })],
  ["lsof", (args) => args.every((arg) => arg !== null && !/^\+?-?[mD]/.test(arg))],
  [
    "npm",
    either(
      VERSION,
      without(first("ls list ll view info show outdated explain why"), {
        long: ["--script-shell", "--prefix", "--userconfig"],
      }),
    ),
  ],
  ["yarn", either(VERSION, first("list why info"))],
  ["pnpm", either(VERSION, first("list ls why outdated"))],
  ["node", VERSION],
  ["deno", VERSION],
  ["python", VERSION],
  ["python3", VERSION],
  ["ruby", VERSION],
  ["rustc", VERSION],
  ["java", either(VERSION, (args) => args.length === 1 && args[0] === "-version")],
  [
    "go",
    either(
      (args) => args.length === 1 && args[0] === "version",
      without(first("list env doc"), {
        long: ["-w", "-u", "-export", "-mod", "-toolexec", "-exec"],
      }),
    ),
  ],
  ["cargo", either(VERSION, without(first("tree metadata"), { long: ["--config"] }))],
  ["docker", first("ps images logs inspect version info")],
  ["podman", first("ps images logs inspect version info")],
  ["kubectl", without(first("get describe logs version"), { long: ["--kubeconfig", "--as"] })],
  ["tar", (args) => /^-?[jJzv]*t[jJzvf]*$/.test(args[0] ?? "") && !hasFlag(args, TAR_RUNS)],
  ["unzip", (args) => /^-[lvZ]/.test(args[0] ?? "")],
  [
    "gh",
    (args) =>
      /^(?:view|list|status|diff|checks)$/.test(args[1] ?? "") &&
      !hasFlag(args, { long: ["--web"], short: "w" }),
  ],
]);

const PROGRAMS = new Set(SAFE.split(" "));

/** Whether a command is known to read only, with the options it has. */
export function onlyReads(argv: Words): boolean {
  const [program, ...args] = argv;
  if (typeof program !== "string" || !PROGRAMS.has(program)) return false;
  const unsafe = UNSAFE.get(program);
  if (
    unsafe !== undefined &&
    (hasFlag(args, unsafe) || args.some((arg) => arg === null && program !== "printf"))
  ) {
    return false;
  }
  return TESTS.get(program)?.(args) ?? true;
}

function sedOnlyReads(args: Words): boolean {
  if (hasFlag(args, { long: ["--in-place", "--file", "--separate"], short: "ifs" })) return false;
  const script = operandsOf(args)[0] ?? "";
  const printing = args.includes("-n") && /^(?:[0-9,$]+p;?)+$/.test(script);
  return printing ||
    /^s([/|#,])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1[gIp0-9]*$/.test(script);
}

function awkOnlyReads(args: Words): boolean {
  if (
    args.includes(null) ||
    hasFlag(args, { long: ["--file", "--include", "--load", "--exec"], short: "filEopd" })
  ) {
    return false;
  }
  return !args.some((arg) => /system\s*\(|\||getline|>|@(?:load|include)/.test(arg ?? ""));
}
