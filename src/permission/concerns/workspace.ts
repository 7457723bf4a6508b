import type { Analysis, PathUse } from "../../event/analysis.ts";
import type { Concern } from "../../event/permission.ts";
import { joined } from "../../platform/file/lexical-paths.ts";
import type { Paths } from "../../platform/file/paths.ts";
import { isCode, isSecret } from "./protected.ts";

/** Where a command may work. */
export interface Workspace {
  /** Absolute: the workspace, and directories that count as inside. */
  readonly roots: readonly string[];
  readonly paths: Paths;
  /** Whether the workspace's ignore file names a path. */
  readonly ignored?: ((path: string) => boolean) | undefined;
  /** Names of dangers that are no question. */
  readonly accept: ReadonlySet<string>;
}

const FREE = /^\/dev\/(?:null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d+)$/;
/** What says of this machine only what every program sees. */
const PUBLIC =
  /^\/(?:etc\/(?:os-release|lsb-release|debian_version|alpine-release|timezone)|proc\/(?:(?:cpuinfo|meminfo|loadavg|uptime|version|stat|vmstat|mounts|filesystems|partitions|swaps|diskstats)|(?:self|\d+|\[0-9\]\*)\/(?:cgroup|limits|status|statm|stat|io|mountinfo|cmdline|comm)|sys\/[\w/-]+)|sys\/(?:fs\/cgroup|class|devices\/system)\/[\w./-]+)$/;
/** What sets up a shell of this person, and only installers write. */
const SETS_UP =
  /^\/(?:root|(?:home|Users)\/[\w-]+)\/\.(?:nvm\/nvm\.sh|cargo\/env|sdkman\/bin\/sdkman-init\.sh|asdf\/asdf\.sh|bashrc|profile)$/;
/** Programs that show the names of files, and nothing that is in them. */
const SHOWS_NAMES =
  /^(?:ls|stat|du|find|fd|fdfind|test|\[|file|realpath|readlink|basename|dirname)$/;
/** What runs the file in its first word. */
const RUNS = /^(?:(?:ba|da|z)?sh|python3?|node|bun|tsx|ruby|perl|php)$/;
/** Programs that delete directories with what is in them. */
const DELETES = /^(?:rm|rimraf|truncate)$/;
/** The danger of deleting a whole workspace, by whatever name. */
const DELETES_ALL = "rm-root";
/** The danger of deleting what `find` finds, whatever its name is. */
const FIND_DELETES = "find-delete";
/** The danger of reading what holds secrets. */
export const READS_SECRETS = "reads-secrets";
/** Patterns that most names fit, as `*`, `?*` and `[!.]*`. */
const WIDE =
  /^\/(?:\*\*\/)?(?=[^/]*\*)(?:[*?]|\[(?:[!^]\]?[^\]/]*|[^\]/]*(?:[a-z]-[a-z]|[A-Z]-[A-Z]|\[:(?:print|graph|alnum|alpha|ascii|lower|word|xdigit):\])[^\]/]*)\])+$/;
/** A pattern of which many together are as wide, as `{a..z}*`. */
const LETTER = /^\/\*?[^/*?[\]]\*$/;
const MANY_LETTERS = 5;
const VERBS = { read: "reads", write: "writes", use: "could use", load: "loads", name: "names" };
const SETTINGS = "other programs run or take settings from";
const REMOTE = /^\/dev\/(?:tcp|udp)\/(?!(?:localhost|127\.0\.0\.1)\/(?:\d+|\[0-9\]\*)$)/;
/** What stands in the way after a `git` that was killed. */
const LOCK = /(?:^|\/)\.git\/(?:index|HEAD|shallow|packed-refs)\.lock$/;

/** Where programs are installed, and what processes have open: names are no secret. */
const INSTALLED =
  /^\/(?:usr|opt|bin|lib\w*|sbin|dev)(?:\/|$)|^\/(?:root|(?:home|Users)\/[\w-]+)\/(?:go|\.cargo|\.local)\/bin(?:\/|$)|^\/proc\/(?:self|\d+|\[0-9\]\*)\/(?:fd|exe|task)$/;
/** What comes with programs, but for those themselves, and logs and caches of tools. */
const ENCLOSED =
  /^\/usr\/(?:include|share|src)(?:\/|$)|^\/(?:root|(?:home|Users)\/[\w-]+)\/(?:\.npm\/_logs|\.cargo\/(?:registry|git)|go\/pkg\/mod|\.m2\/repository|\.gradle\/caches|\.nuget\/packages|\.cache\/(?:pip|pnpm|yarn|ms-playwright|go-build))(?:\/|$)/;

/** Whether a path is what every program may read; behind `..` a link could lead elsewhere. */
function isPublic({ path = "", raw, by = "" }: PathUse): boolean {
  if (raw !== undefined) return false;
  return PUBLIC.test(path) || ENCLOSED.test(path) || (SHOWS_NAMES.test(by) && INSTALLED.test(path));
}

/** Find every use of a path that leaves the workspace, is known only at run time, or is more than a file. */
export function pathConcerns(
  { uses = [], commands: written }: Analysis,
  workspace: Workspace,
): readonly Concern[] {
  // `/bin/rm` is `rm`.
  const commands = written.map((each) => ({ ...each, argv: each.program.as ?? each.argv }));
  const changing = commands.filter(({ argv, program }) =>
    argv.length > 0 && !program.reads && !program.inert
  );
  // A relative link that is moved leads elsewhere.
  const moves = changing.some(({ argv: [name] }) => !/^(?:ln|mkdir|rm|touch|:)$/.test(name ?? ""));
  const makes = (name: string, option: RegExp) =>
    commands.some(({ argv }) =>
      argv.includes(name) && argv.some((word) => word === null || option.test(word))
    );
  // A link made by the line leads elsewhere when the line has run, and nowhere when it is judged.
  const linked = makes("ln", /^-\w*s|^--sy/) ? uses : [];
  const links = linked.flatMap(({ access, by, path = [] }) =>
    access === "write" && by === "ln" ? path : []
  );
  const copies = makes("cp", /^-\w*[ls]|^--(?:l|sy)/);
  // What the line itself spells; what a search finds is wider.
  const removed = commands.flatMap(({ argv: [name, ...words], startedBy }) =>
    DELETES.test(name ?? "")
      ? words.flatMap((word) =>
        // One of several values can be the workspace.
        word === null && startedBy === undefined
          ? "/"
          : word?.replace(/\/(?:\.?\/)+/g, "/").replace(/^(?:\.{1,2}\/)+|(?:\/\.?)+$/g, "") || []
      )
      : []
  );
  const letters = uses.filter(({ by = "", path = "" }) =>
    DELETES.test(by) && LETTER.test(path.slice(path.lastIndexOf("/")))
  );
  const isScript = ({ access, path = "", span }: PathUse) =>
    access === "use" &&
    commands.some(({ argv: [name, script, ...words], span: { start } }) =>
      span.start === start && RUNS.test(name ?? "") && script && !words.includes(script) &&
      path.endsWith(`/${script.replace(/^\.\//, "")}`)
    );
  // It has a danger for that, which may be granted; the directory that it starts in is looked at itself.
  const deletesAny = ({ by, path = "", span: { start } }: PathUse) =>
    by === "find" && path.endsWith("/**/*") &&
    commands.some(({ span, program: { dangers = [] } }) =>
      span.start === start && dangers.some(({ name }) => name === FIND_DELETES)
    );
  const bare = makes("git", /^--(?:bare|mirror)/);
  const mirrors = makes("rsync", /^--del/);
  const about = (use: PathUse): Omit<Concern, "span"> | undefined => {
    const { access, path, by = "" } = use;
    if (use.last || use.fresh || access === "run") return undefined;
    const goes = /^(?:cd|pushd)$/.test(by);
    const does = goes ? "goes to" : VERBS[access];
    const whole = `${by === "" ? "a redirection" : `"${by}"`} ${does}`;
    if (path === undefined) return { reason: `${whole} a path known only at run time` };
    const reason = (why: string) => ({ reason: `${whole} "${path}", which ${why}` });
    if (by === "rm" && LOCK.test(path)) return undefined;
    if (/^\/dev\/(?:tcp|udp)\/\w/.test(path) && !REMOTE.test(path)) return undefined;
    if (REMOTE.test(path)) return { reason: `a network connection, "${path}"` };
    const isFree = FREE.test(path) && (by !== "ln" || !/std|fd|tty/.test(path));
    if (isFree || (access === "read" && isPublic(use))) return undefined;
    if (/^(?:source|\.)$/.test(by) && SETS_UP.test(path)) return undefined;
    const isAll = DELETES.test(by) &&
      workspace.roots.some((root) =>
        (below(path, root) && (WIDE.test(path.slice(root.length)) ||
          (letters.length >= MANY_LETTERS && LETTER.test(path.slice(root.length))))) ||
        (path === root &&
          (use.raw !== undefined || removed.some((word) => word === "/" || path.endsWith(word))))
      );
    const isMirror = by === "rsync" && mirrors && workspace.roots.includes(path);
    if (access === "write" && (isAll || isMirror) && !workspace.accept.has(DELETES_ALL)) {
      return { reason: `"${by}" deletes everything in "${path}"`, danger: DELETES_ALL };
    }
    if (access === "write" && by !== "rm" && /\/-[^/]*$/.test(path)) {
      return reason("a later pattern could make an option");
    }
    const places = [path, followed(use, workspace)];
    const secret = !/write|load/.test(access) && !SHOWS_NAMES.test(by) && places.some(isSecret);
    if (secret && !workspace.accept.has(READS_SECRETS)) {
      return { ...reason("holds secrets"), danger: READS_SECRETS };
    }
    if (places.some((place) => workspace.ignored?.(place))) {
      return reason("the ignore file names");
    }
    if (access === "use" && isNoPath(use, workspace)) return undefined;
    if ((access !== "name" || (by === "ln" && moves)) && !isInside(use, workspace)) {
      return reason(outside(use, workspace));
    }
    // Stars alone name no hook of a bare repository more than any other file.
    const isAny = access !== "write" && /(?:\/\*){2}$/.test(path);
    const code = (!isAny && places.some((place) => isCode(relative(place, workspace)))) ||
      (bare && access === "write" && /\/config$/.test(path));
    const isSetting = code && access !== "read" && !isScript(use);
    if (isSetting && !deletesAny(use)) return reason(SETTINGS);
    // What the link itself leads to was looked at; `..` behind one leads elsewhere than it reads.
    const through = (link: string) => use.raw !== undefined || (path !== link && below(path, link));
    if (by !== "ln" && links.some(through)) {
      return reason("goes through a link that the line makes");
    }
    const kept = by === "ln" || (by === "cp" && copies) ||
      (changing.length > 0 && goes && !/\/\*\*(?:\/\*)?$/.test(path));
    if (code && kept) return reason(SETTINGS);
    return /read|write/.test(access) && leadsAway(use, workspace)
      ? reason("fits a link that leads out of the workspace")
      : undefined;
  };
  return uses.flatMap((use) => {
    const found = about(use);
    return found === undefined ? [] : [{ ...found, span: use.span }];
  });
}

/** Say where a line runs, if that is outside: `ls`, `grep -r x` and `make` name no path, and use that one. */
export function startConcerns(
  { commands }: Analysis,
  cwd: string,
  workspace: Workspace,
): readonly Concern[] {
  const runs = commands.some(({ argv, program }) => argv.length > 0 && !program.inert);
  if (!runs || ENCLOSED.test(cwd) || isInside({ path: cwd }, workspace)) return [];
  return [{ reason: `it runs in "${cwd}", which ${outside({ path: cwd }, workspace)}` }];
}

/** How a path is outside: as it is written, or by its links. */
function outside(use: Pick<PathUse, "path" | "pattern" | "raw">, workspace: Workspace): string {
  const { path = "" } = use;
  const real = followed(use, workspace);
  const leads = real !== path && workspace.roots.some((root) => below(path, root));
  return leads ? `leads to "${real}", outside the workspace` : "is outside the workspace";
}

/** Whether a word that could be a path is a route or an expression: its first part is no file of this machine. */
function isNoPath({ path = "", raw }: PathUse, { paths }: Workspace): boolean {
  // Of a pattern the first part must be spelled.
  const [first] = /^\/[^/*?[{]+(?=\/|$)/.exec(path) ?? [];
  return first !== undefined && raw === undefined && paths.exists?.(first) === false;
}

/** Whether a path is inside, both as written and with its links followed. */
function isInside(
  use: Pick<PathUse, "path" | "pattern" | "raw">,
  { roots, paths }: Workspace,
): boolean {
  const { path = "", pattern, raw = path } = use;
  if (!roots.some((root) => below(path, root))) return false;
  // Of a pattern only the part before it can be followed.
  const followed = paths.real(
    pattern ? raw.slice(0, raw.search(/[*?[]|[@!+]\(/)).replace(/[^/]*$/, "") || "/" : raw,
  );
  return followed !== undefined && roots.some((root) => {
    const real = paths.real(root);
    return real !== undefined && below(joined("/", followed), joined("/", real));
  });
}

/** Whether a pattern fits a link that leads outside, or to secrets. */
function leadsAway({ path = "", pattern, expanded }: PathUse, workspace: Workspace): boolean {
  const { paths } = workspace;
  if (!pattern || paths.links === undefined) return false;
  const links = paths.links(expanded ? path.replaceAll("**", "*") : path);
  return links === undefined || links.some((link) =>
    !isInside({ path: link }, workspace) ||
    [link, paths.real(link) ?? link].some((each) => isSecret(each) || workspace.ignored?.(each))
  );
}

/** A path with its links followed, where that can be known. */
function followed(
  { path = "", pattern, raw = path }: Pick<PathUse, "path" | "pattern" | "raw">,
  { paths }: Workspace,
): string {
  const real = pattern ? undefined : paths.real(raw);
  return real === undefined ? path : joined("/", real);
}

function relative(path: string, { roots }: Workspace): string {
  return path.slice((roots.find((root) => below(path, root)) ?? "").length);
}

function below(path: string, root: string): boolean {
  return path === root || `${path}/`.startsWith(`${root.replace(/[\\/]+$/, "")}/`);
}
