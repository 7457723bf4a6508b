import type { Analysis } from "../../event/command.ts";
import type { Concern } from "../../event/permission.ts";
import type { Paths } from "../../platform/file/paths.ts";

/** Where a command may work. */
interface Workspace {
  /** Absolute. */
  readonly root: string;
  readonly paths: Paths;
}

const FREE = /^\/dev\/(?:null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d+)$/;
/** Files in a workspace that other programs run, or take their settings from. */
const CODE =
  /(?:^|\/)(?:\.git\/(?:hooks(?:\/|$)|config$|info\/attributes$|modules\/)|\.git$|\.envrc$|\.vscode(?:\/|$)|\.idea(?:\/|$)|\.claude(?:\/|$)|\.codex(?:\/|$)|\.cursor(?:\/|$)|\.gemini(?:\/|$)|\.husky(?:\/|$)|\.ssh(?:\/|$)|\.config\/git(?:\/|$)|\.gitconfig$|\.npmrc$|\.bashrc$|\.bash_profile$|\.bash_login$|\.bash_logout$|\.profile$|\.zshrc$|\.zshenv$|\.zprofile$|\.inputrc$)/;
const SECRET =
  /(?:^|\/)(?:\.ssh|\.aws|\.gnupg|\.kube)(?:\/|$)|(?:^|\/)(?:\.netrc|\.pgpass|\.git-credentials|\.env(?!\.(?:example|sample|template|dist)$)(?:\.[\w-]+)?)$|^\/proc\/[^/]+\/(?:environ|mem)$/;

/** Find every use of a path that leaves the workspace, is known only at run time, or is more than a file. */
export function pathConcerns(analysis: Analysis, workspace: Workspace): readonly Concern[] {
  const concerns: Concern[] = [];
  for (const { access, path, span, by } of analysis.uses ?? []) {
    const concern = (what: string) => {
      concerns.push({ reason: by === undefined ? what : `${what} by "${by}"`, span });
    };
    if (path === undefined) {
      concern(`${access} of a path known only at run time`);
      continue;
    }
    if (/^\/dev\/(?:tcp|udp)\//.test(path)) concern(`a network connection, "${path}"`);
    else if (FREE.test(path)) continue;
    else if (!isInside(path, workspace)) {
      concern(
        `${access} ${access === "write" ? "to" : "of"} "${path}", which is outside the workspace`,
      );
    } else if (access === "write" && CODE.test(relative(path, workspace.root))) {
      concern(`write to "${path}", which other programs run or obey`);
    } else if (access === "read" && SECRET.test(path)) {
      concern(`read of "${path}", which holds secrets`);
    }
  }
  return concerns;
}

/** Whether a path is in the workspace, both as written and with its links followed. */
function isInside(path: string, { root, paths }: Workspace): boolean {
  if (!below(path, root)) return false;
  const real = paths.real(path);
  const realRoot = paths.real(root);
  return real !== undefined && realRoot !== undefined && below(real, realRoot);
}

function below(path: string, root: string): boolean {
  const plain = root.replace(/[\\/]+$/, "");
  return path === plain || path === root || path.startsWith(`${plain}/`);
}

function relative(path: string, root: string): string {
  return path.slice(root.replace(/\/+$/, "").length + 1);
}
