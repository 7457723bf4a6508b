import { PROTECTED_NAMES } from "../../platform/file/protected-names.ts";
import { overlappingNames } from "../../platform/file/pattern-overlap.ts";

/**
 * Files that other programs run, or take their settings from. `**` stands for everything below, and the
 * directory itself.
 */
const CODE: readonly (readonly string[])[] = [
  ...PROTECTED_NAMES.code.map((name) => [name]),
  ...PROTECTED_NAMES.codeDirectories.map((name) => [...name.split("/"), "**"]),
  ["*.git", "config"],
  // Its hooks are programs.
  [".hg", "hgrc"],
  // The hooks of a bare repository, or of one with another name.
  ..."applypatch-msg commit-msg post-applypatch post-checkout post-commit post-merge post-receive post-rewrite post-update pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase pre-receive prepare-commit-msg push-to-checkout reference-transaction sendemail-validate update fsmonitor-watchman"
    .split(" ").map((name) => ["hooks", name]),
];
/** What is written into `.git` by hand, and only read. */
const NOTES = /(?:^|\/)\.git\/(?:info\/exclude|COMMIT_EDITMSG|MERGE_MSG|TAG_EDITMSG)$/;

/** Settings of Cargo and opencode, which name programs; for the same reason as `KEYS` no entries of `CODE`. */
const OF_TOOLS = /(?:^|\/)(?:\.cargo(?:\/config(?:\.toml)?)?|opencode\.jsonc?)$/i;

const SECRETS: readonly (readonly string[])[] = [
  ...PROTECTED_NAMES.secretDirectories.map((name) => [name, "**"]),
  ...[...PROTECTED_NAMES.secrets, ".env.*"].map((name) => [name]),
];
const PLAIN_CODE = plainly(CODE);
const PLAIN_SECRETS = plainly(SECRETS);
const TEMPLATES = /\.env\.(?:.*\.)?(?:example|sample|template|dist)$/;
/**
 * Keys and tokens by their whole name: as an entry of `SECRETS`, patterns for many other files would fit them. A
 * pattern has to spell a part of one, and not its ending alone.
 */
const KEYS =
  /(?:^|\/)(?:id_(?:rsa|dsa|ecdsa|ed25519)|credentials\.(?:json|ya?ml|toml)|service-?account[\w-]*\.json|\.(?:pypirc|htpasswd|vault-token)|master\.key|[^/]*\.(?:pfx|p12|kdbx|ppk))$/;

/** What a pattern for the whole workspace can fit in `.git`, too; in small letters, as a search may take any. */
const ANYWHERE = /^\/\*\*\/(?:\*\/)?(?:\.\/)?(?!\**(?:\/|$))([^/]+)(\/|$)/;
const GIT_DIRECTORIES = "hooks refs objects logs info heads tags origin pack".split(" ");
/** What is kept below `.vscode` and `.claude`, of which a pattern has to spell a part, too. */
const SETTINGS = "settings.json settings.local.json tasks.json launch.json".split(" ");
const GIT_FILES = "head orig_head config index packed-refs main master x.pack".split(" ");

/** Whether a search of the whole workspace finds something of this name in `.git`, or a file of settings. */
function isFoundAnywhere(path: string): boolean {
  const [, name = "", slash] = ANYWHERE.exec(path) ?? [];
  const fits = (known: string) => overlappingNames(name.toLowerCase(), known);
  if (name === "") return false;
  return GIT_DIRECTORIES.some(fits) ||
    (slash === "" && (GIT_FILES.some(fits) || (spellsPart(name) && SETTINGS.some(fits))));
}

/** Whether a pattern spells more of a name than its ending. */
function spellsPart(name: string): boolean {
  return /\w{3}/.test(name.replace(/\[[^\]]*\]/g, "*").replace(/(?<=.)\.\w+$/, ""));
}

/** Whether the name in a path is a pattern that fits one of some names, and spells more of it than its ending. */
function spellsOneOf(path: string, known: readonly string[]): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return /[*?[(]/.test(name) && spellsPart(name) &&
    known.some((each) => overlappingNames(name, each));
}

/**
 * Whether a path, or a file that fits it as a pattern, is code or settings of other programs.
 *
 * @param path From the root of the workspace on, with a slash in front; any other is compared from its end.
 */
export function isCode(path: string): boolean {
  if (OF_TOOLS.test(path) || spellsOneOf(path, ["opencode.json"]) || isFoundAnywhere(path)) {
    return true;
  }
  return !NOTES.test(path) && isOneOf(path, CODE, PLAIN_CODE);
}

/** Whether a path, or a file that fits it as a pattern, holds secrets. */
export function isSecret(path: string): boolean {
  if (KEYS.test(path)) return true;
  if (spellsOneOf(path, PROTECTED_NAMES.keys)) return true;
  return !TEMPLATES.test(path) && isOneOf(path, SECRETS, PLAIN_SECRETS);
}

/** What a path without any pattern is compared with. */
function plainly(sequences: readonly (readonly string[])[]): RegExp {
  const all = sequences.map((names) =>
    names.map((name) => name.replaceAll(".", "\\.").replace(/(?<!\*)\*(?!\*)/, "[^/]*")).join("/")
      .replace(/\/\*\*$/, "(?:/.*)?")
  );
  // Some file systems do not tell capitals apart.
  return new RegExp(`(?:^|/)(?:${all.join("|")})/*$`, "i");
}

/** Whether some end of a path fits one of some sequences of names. */
function isOneOf(path: string, sequences: readonly (readonly string[])[], plain: RegExp): boolean {
  if (!/[*?[(]/.test(path)) return plain.test(path);
  const parts = path.split("/").filter((part) => part !== "");
  return sequences.some((names) => {
    const below = names.at(-1) === "**";
    const directory = below ? names.slice(0, -1) : names;
    const last = parts.length - directory.length;
    if (!below) return last >= 0 && fitsFrom(parts, last, directory);
    // What is found below the whole workspace is no directory of its own.
    return parts.some((part, from) =>
      from <= last && part !== "**" && fitsFrom(parts, from, directory)
    );
  });
}

function fitsFrom(parts: readonly string[], from: number, names: readonly string[]): boolean {
  return names.every((name, index) => {
    const part = parts[from + index] ?? "";
    // What is found below the whole workspace can be anywhere.
    return part === "**" ? from + index === 0 : overlappingNames(part, name);
  });
}
