import { quotesOf } from "../../shell/quoted-place.ts";
import type { Suite, UrlResolver } from "../configuration.ts";
import { taskNamed } from "../error/find-task.ts";
import { invalidInput, ShellError } from "../error/shell-error.ts";
import type { RunInput } from "../run/run-input.ts";
import { messageOf } from "../../platform/failure.ts";
import { makePrivateDirectory } from "../../platform/file/private-directory.ts";
import { shownValue } from "../../value/shown.ts";

/** A URL ends where a shell could end a word. Without a limit, each letter of a long word would be a beginning to try. */
const URL_IN_TEXT = /\b([a-z][a-z0-9+.-]{0,63}):\/\/([^\s'"`;&|<>()$\\*?{}]+)/gi;

/**
 * Put paths in the place of `artifact://`, `local://` and further URLs: quoted in the command, as its
 * place needs it, and as they are in `cwd` and `env`. URLs of other schemes are data of programs and
 * stay as they are, but in `cwd`.
 *
 * @throws {ShellError} When a URL of these schemes means nothing, or leads out of its directory.
 */
export async function resolveUrls<Request extends Pick<RunInput, "command" | "cwd" | "env">>(
  suite: Suite,
  request: Request,
): Promise<Request> {
  const { command, cwd, env } = request;
  if (![command, cwd, ...Object.values(env ?? {})].some((text) => text?.includes("://"))) {
    return request;
  }
  const resolvers: Readonly<Record<string, UrlResolver>> = {
    ...suite.resolvers,
    artifact: (id) => artifactPath(suite, id),
    local: (name) => localPath(suite, name),
  };
  const replaced = async (text: string, write: (path: string, at: number) => string) => {
    const matches = [...text.matchAll(URL_IN_TEXT)];
    const paths = await Promise.all(matches.map(async (match) => {
      const [url, written = "", rest = ""] = match;
      const scheme = written.toLowerCase();
      const resolve = Object.hasOwn(resolvers, scheme) ? resolvers[scheme] : undefined;
      if (resolve === undefined) return url;
      return write(await resolved(url, rest, resolve), match.index);
    }));
    return text.replace(URL_IN_TEXT, () => paths.shift() ?? "");
  };
  const raw = (path: string) => path;
  let quotes: ReturnType<typeof quotesOf> | undefined;
  const quoted = (path: string, at: number) => (quotes ??= quotesOf(command))(at, path);
  const scheme = cwd?.match(/^([a-z][a-z0-9+.-]*):\/\//i)?.[1]?.toLowerCase();
  if (scheme !== undefined && !Object.hasOwn(resolvers, scheme)) {
    throw invalidInput(
      `cwd: nothing resolves "${scheme}://"; there are ${Object.keys(resolvers).join(", ")}`,
    );
  }
  const directory = cwd === undefined ? undefined : await replaced(cwd, raw);
  if (directory !== undefined && scheme === "local") makeDirectory(directory);
  const variables = await Promise.all(
    Object.entries(env ?? {}).map(async ([name, value]) => [name, await replaced(value, raw)]),
  );
  return {
    ...request,
    command: await replaced(command, quoted),
    ...(directory !== undefined && { cwd: directory }),
    ...(env !== undefined && { env: Object.fromEntries(variables) }),
  };
}

async function resolved(url: string, rest: string, resolve: UrlResolver): Promise<string> {
  try {
    const path: unknown = await resolve(rest);
    if (typeof path === "string") return path;
    throw new TypeError(`its resolver answered ${shownValue(path)}, which is no path`);
  } catch (cause) {
    if (cause instanceof ShellError) throw cause;
    throw invalidInput(`Cannot resolve "${url}": ${messageOf(cause)}`);
  }
}

function makeDirectory(path: string): void {
  try {
    makePrivateDirectory(path);
  } catch (cause) {
    throw invalidInput(`cwd: ${messageOf(cause)}`);
  }
}

async function artifactPath(suite: Suite, id: string): Promise<string> {
  const task = taskNamed(suite, id);
  if (task === undefined) {
    throw invalidInput(`Cannot resolve "artifact://${id}": there is no such task or shell`);
  }
  return await suite.files.artifact(task.id);
}

function localPath({ files }: Suite, name: string): string {
  const steps = name.split("/");
  if (name.startsWith("/") || steps.some((step) => step === "" || step === "." || step === "..")) {
    throw invalidInput(
      `Cannot resolve "local://${name}": it must be a relative path without "." and ".."`,
    );
  }
  return files.local(name);
}
