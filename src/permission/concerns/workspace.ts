import type { Analysis, PathUse } from "../../event/command.ts";
import type { Concern } from "../../event/permission.ts";
import type { Paths } from "../../platform/file/paths.ts";
import { isCode, isSecret } from "./protected.ts";

/** Where a command may work. */
export interface Workspace {
  /** Absolute: the workspace, and directories that count as inside. */
  readonly roots: readonly string[];
  readonly paths: Paths;
  /** Whether the workspace's ignore file names a path. */
  readonly ignored?: (path: string) => boolean;
}

const FREE = /^\/dev\/(?:null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d+)$/;
/** Programs that show the names of files, and nothing that is in them. */
const SHOWS_NAMES = /^(?:ls|stat|du|find|test|\[|file|realpath|readlink|basename|dirname)$/;
const DANGLING = /^\/dev\/(?:tcp|udp)\//;

/** Find every use of a path that leaves the workspace, is known only at run time, or is more than a file. */
export function pathConcerns(
  { uses = [], commands }: Analysis,
  workspace: Workspace,
): readonly Concern[] {
  const concerns: Concern[] = [];
  const changes = commands.some(({ argv, program }) =>
    argv.length > 0 && !program.reads && !program.inert
  );
  const links = commands.some(({ argv }) => makesLink(argv))
    ? uses.flatMap(({ access, by, path }) =>
      access === "write" && by === "ln" && path !== undefined ? [path] : []
    )
    : [];
  const copies = commands.some(({ argv }) =>
    argv.includes("cp") && argv.some((word) => word === null || /^-\w*[ls]|^--(?:l|sy)/.test(word))
  );
  for (const use of uses) {
    const { access, path, span, by } = use;
    const concern = (what: string) => {
      concerns.push({ reason: by === undefined ? what : `${what} by "${by}"`, span });
    };
    if (use.last) continue;
    if (path === undefined) concern(`${access} of a path known only at run time`);
    else if (DANGLING.test(path)) concern(`a network connection, "${path}"`);
    else if (FREE.test(path)) continue;
    else if ((access === "read" || by === "mv") && isSecret(path) && !SHOWS_NAMES.test(by ?? "")) {
      concern(`read of "${path}", which holds secrets`);
    } else if (!isInside(use, workspace)) {
      concern(
        `${access} ${access === "write" ? "to" : "of"} "${path}", which is outside the workspace`,
      );
    } else if (access === "write" && isCode(real(use, workspace))) {
      concern(`write to "${path}", which other programs run or take settings from`);
    } else if (by !== "ln" && links.some((link) => below(path, link))) {
      concern(`${access} of "${path}", which goes through a link that the line makes`);
    } else if (
      access === "read" && isCode(real(use, workspace)) && (by === "ln" || by === "cp" && copies)
    ) {
      concern(`a link to "${path}", which other programs run or take settings from`);
    } else if (changes && /^(?:cd|pushd)$/.test(by ?? "") && isCode(real(use, workspace))) {
      concern(`a command runs in "${path}", which other programs take settings from`);
    } else if (leadsAway(use, workspace)) {
      concern(`${access} of "${path}", which fits a link that leads out of the workspace`);
    } else if (workspace.ignored?.(path)) {
      concern(`${access} of "${path}", which the ignore file names`);
    }
  }
  return concerns;
}

/** A link made by the line leads elsewhere when the line has run, and nowhere when it is judged. */
function makesLink(argv: readonly (string | null)[]): boolean {
  return argv.includes("ln") && argv.some((word) => word === null || /^-\w*s|^--sy/.test(word));
}

/** Whether a path is inside, both as written and with its links followed. */
function isInside(
  use: Pick<PathUse, "path" | "pattern" | "raw">,
  { roots, paths }: Workspace,
): boolean {
  const { path = "", pattern, raw = path } = use;
  if (!roots.some((root) => below(path, root))) return false;
  // Of a pattern only the part before it can be followed.
  const followed = paths.real(pattern ? beforePattern(raw) : raw);
  return followed !== undefined && roots.some((root) => {
    const real = paths.real(root);
    return real !== undefined && below(withoutDots(followed), real);
  });
}

/** Whether a pattern fits a link that leads outside, or to secrets. */
function leadsAway({ path = "", pattern }: PathUse, workspace: Workspace): boolean {
  const { paths } = workspace;
  if (!pattern || paths.links === undefined) return false;
  const links = paths.links(path);
  return links === undefined || links.some((link) =>
    !isInside({ path: link }, workspace) ||
    isSecret(paths.real(link) ?? link)
  );
}

/** A path with its links followed, where that can be known, and with what is written otherwise. */
function real({ path = "", pattern, raw = path }: PathUse, { paths, roots }: Workspace): string {
  const relative = (whole: string) =>
    whole.slice((roots.find((root) => below(whole, root)) ?? "").length);
  const followed = pattern ? undefined : paths.real(raw);
  return relative(followed === undefined || isCode(relative(path)) ? path : withoutDots(followed));
}

function beforePattern(path: string): string {
  return path.slice(0, path.search(/[*?[]|[@!+]\(/)).replace(/[^/]*$/, "") || "/";
}

function withoutDots(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return /^[A-Za-z]:/.test(path) ? parts.join("/") : `/${parts.join("/")}`;
}

function below(path: string, root: string): boolean {
  const plain = root.replace(/[\\/]+$/, "");
  return path === plain || path === root || path.startsWith(`${plain}/`);
}
