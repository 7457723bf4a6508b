import { isInterpreter } from "./interpreters.ts";
import type { Danger, Inspected } from "./danger.ts";

const RAISES = new Set(
  "sudo doas su pkexec runuser visudo usermod useradd passwd gpasswd chsh".split(" "),
);
const STARTS = new Set(
  ("chroot unshare nsenter systemd-run at batch crontab parallel watch flock setsid ionice chrt taskset setarch linux32 linux64 " +
    "strace ltrace xvfb-run dbus-run-session ssh script busybox toybox systemd-inhibit catchsegv faketime " +
    "proxychains proxychains4 torsocks fakeroot unbuffer firejail numactl prlimit caffeinate eatmydata i386 x86_64")
    .split(" "),
);
const RUNNERS: ReadonlyMap<string, readonly [subcommands: RegExp | undefined, spelled: number]> =
  new Map([
    ["npx", [undefined, 2]],
    ["bunx", [undefined, 2]],
    ["pnpx", [undefined, 2]],
    ["uvx", [undefined, 2]],
    ["docker", [/^(?:exec|run)$/, 3]],
    ["podman", [/^(?:exec|run)$/, 3]],
    ["kubectl", [/^(?:exec|run)$/, 3]],
    ["direnv", [/^exec$/, 3]],
    ["mise", [/^(?:exec|x)$/, 3]],
    ["asdf", [/^exec$/, 3]],
    ["uv", [/^run$/, 3]],
    ["poetry", [/^run$/, 3]],
    ["pipenv", [/^run$/, 3]],
    ["bundle", [/^exec$/, 3]],
    ["npm", [/^(?:exec|x)$/, 3]],
    ["pnpm", [/^(?:exec|dlx)$/, 3]],
    ["yarn", [/^(?:exec|dlx)$/, 3]],
    ["bun", [/^x$/, 3]],
    ["nix", [/^(?:run|shell|develop)$/, 3]],
    ["conda", [/^run$/, 3]],
  ]);

/** More rights than the user has, and programs that run another one in a way of their own. */
export function privilege({ name, args }: Inspected): readonly Danger[] {
  const dangers: Danger[] = [];
  if (RAISES.has(name)) dangers.push({ name, reason: `"${name}" changes who runs a command` });
  if (STARTS.has(name)) dangers.push({ name, reason: `"${name}" runs another command` });
  if (/^ld(?:-linux|-musl|\.so)/.test(name)) {
    dangers.push({ name: "loader", reason: `"${name}" runs another program` });
  }
  const runner = RUNNERS.get(name);
  if (runner !== undefined) {
    const [subcommands, spelled] = runner;
    const subcommand = args.find((arg) => arg === null || !arg.startsWith("-"));
    if (subcommands === undefined || subcommand === null || subcommands.test(subcommand ?? "")) {
      dangers.push({ name: "runner", reason: `"${name}" runs another program`, unless: spelled });
    }
  }
  if (
    name === "chmod" &&
    args.some((arg) => arg !== null && /^(?:[ugoa]*\+[rwx]*s|[0-7]*[4-7][0-7]{3}$)/.test(arg))
  ) {
    dangers.push({ name: "setuid", reason: "a file would run as its owner" });
  }
  if (
    name === "chown" &&
    /^root(?::|$)/.test(args.find((arg) => arg !== null && !arg.startsWith("-")) ?? "")
  ) {
    dangers.push({ name: "chown-root", reason: "a file would belong to root" });
  }
  return dangers;
}

/** A rule for these would let everything pass, so none is suggested. */
export function startsOthers(name: string): boolean {
  return RAISES.has(name) || STARTS.has(name) || RUNNERS.has(name) || isInterpreter(name) ||
    /^(?:xargs|find|fd|fdfind|env|timeout|nice|nohup|time|stdbuf|command|builtin|exec|eval|source|\.|trap|make|gmake|just|task|awk|gawk|mawk)$/
      .test(name);
}
