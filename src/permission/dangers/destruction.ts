import { hasFlag, operandsOf } from "../flags.ts";
import type { Words } from "../words.ts";
import type { Danger, Inspected } from "./danger.ts";

const ROOTS =
  /^(?:\/+\*?|~\/?\*?|\.{1,2}\/?|\*|\.\*|\.\/\*|\.\.\/\*|\$HOME.*|\/(?:etc|usr|var|home|bin|sbin|lib|lib64|boot|dev|opt|root|proc|sys|srv|mnt|Users|System|Library)(?:\/\*?)?)$/;
const DISKS = /^(?:mkfs(?:\..*)?|wipefs|fdisk|sfdisk|parted|shred|blkdiscard|mkswap)$/;

/** What cannot be taken back. */
export function destruction({ name, args, command }: Inspected): readonly Danger[] {
  const dangers: Danger[] = [];
  const danger = (id: string, reason: string) => dangers.push({ name: id, reason });
  if (name === "rm") {
    const recursive = hasFlag(args, { long: ["--recursive"], short: "rR" });
    if (hasFlag(args, { long: ["--no-preserve-root"] })) {
      danger("rm-root", '"rm" without its last guard');
    } else if (recursive && operandsOf(args).some((arg) => arg !== null && ROOTS.test(arg))) {
      danger("rm-root", '"rm" of a whole tree of others');
    }
  }
  if (name === "find" && args.includes("-delete")) {
    danger("find-delete", '"find" deletes what it finds');
  }
  if (DISKS.test(name)) danger("disk", `"${name}" overwrites a disk or a file for good`);
  if (name === "dd" && args.some((arg) => arg !== null && /^of=\/dev\/(?!null$|zero$)/.test(arg))) {
    danger("disk", '"dd" writes to a device');
  }
  if (name === "git") dangers.push(...gitLosses(args));
  if (name === "docker" && args.includes("prune")) {
    danger("docker-prune", '"docker" removes what is not used');
  }
  if (name === "kubectl" && args.includes("delete")) {
    danger("kubectl-delete", '"kubectl" deletes resources');
  }
  if (/^(?:terraform|tofu|pulumi)$/.test(name) && args.some((arg) => arg === "destroy")) {
    danger("terraform-destroy", `"${name}" destroys what it manages`);
  }
  if (/^(?:shutdown|reboot|halt|poweroff|init)$/.test(name)) {
    danger("shutdown", `"${name}" stops the machine`);
  }
  if (
    command.argv.some((arg) =>
      arg !== null && /\b(?:DROP|TRUNCATE)\s+(?:TABLE|DATABASE|SCHEMA)\b/i.test(arg)
    ) &&
    /^(?:psql|mysql|mariadb|sqlite3)$/.test(name)
  ) {
    danger("drop-table", "a table or a database is dropped");
  }
  return dangers;
}

function gitLosses(args: Words): readonly Danger[] {
  const words = subcommandOf(args);
  const [subcommand, ...rest] = words;
  const danger = (id: string, reason: string): Danger[] => [{ name: id, reason }];
  switch (subcommand) {
    case "clean":
      return hasFlag(rest, { long: ["--force"], short: "f" })
        ? danger("git-clean", '"git clean" deletes files that are not tracked')
        : [];
    case "reset":
      return hasFlag(rest, { long: ["--hard"] })
        ? danger("git-reset", '"git reset --hard" drops changes')
        : [];
    case "checkout":
    case "restore":
      return rest.some((arg) => arg === "." || arg === "./" || arg === ":/") &&
          !hasFlag(rest, { long: ["--staged"], short: "S" })
        ? danger("git-checkout", `"git ${subcommand}" drops changes`)
        : [];
    case "push":
      return hasFlag(rest, {
          long: ["--force", "--force-with-lease", "--delete", "--mirror"],
          short: "fd",
        }) ||
          rest.some((arg) => arg?.startsWith("+") === true)
        ? danger("git-push-force", '"git push" overwrites what others see')
        : [];
    case "branch":
      return hasFlag(rest, { short: "D" })
        ? danger("git-branch-delete", '"git branch -D" drops commits')
        : [];
    case "stash":
      return rest[0] === "clear" || rest[0] === "drop"
        ? danger("git-stash-drop", "stashed changes are dropped")
        : [];
    default:
      return [];
  }
}

const VALUES = /^(?:-C|-c|--git-dir|--work-tree|--namespace|--super-prefix|--config-env)$/;

/** The words of `git` from its subcommand on. */
export function subcommandOf(args: Words): Words {
  let at = 0;
  while (at < args.length) {
    const arg = args[at];
    if (arg === null || arg === undefined || !arg.startsWith("-")) break;
    at += VALUES.test(arg) ? 2 : 1;
  }
  return args.slice(at);
}
