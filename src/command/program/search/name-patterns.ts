/** A pattern of paths as regular expression. */
export function asExpression(pattern: string): string {
  const plain = pattern.replace(/[.+^${}()|\\]/g, "\\$&");
  return `^${plain.replaceAll("*", ".*").replaceAll("?", ".")}$`;
}

/** Names of every kind that is protected, with which regular expressions are tried. */
const HIDDEN =
  ".env .env.local .netrc .pgpass .git-credentials .ssh/x .aws/x .gnupg/x .kube/x .envrc .npmrc .bashrc .profile .git/x .git/hooks/pre-commit .vscode/x .husky/x .claude/x"
    .split(" ");

/** The end of a regular expression that says nothing of a name. */
const ANY = /^(?:\.\*)?\$?$/;

/** The hidden names that a regular expression means; none for one that fits any name. */
export function hiddenLike(expression: string): readonly string[] {
  const plain = expression.replaceAll("\\|", "|");
  // What could take long is not tried.
  if ((plain.match(/[*+?{]/g)?.length ?? 0) > 6 || /\)[*+?{]/.test(plain)) return HIDDEN;
  try {
    const [, name] = /\/([^/]+)$/.exec(plain) ?? [];
    const all = new RegExp(
      name === undefined || ANY.test(name) ? plain : `${plain}|^(?:${name})`,
      "i",
    );
    const fits = (each: string) => all.test(each) || all.test(`./${each}`);
    return fits("q") ? [] : HIDDEN.filter(fits);
  } catch {
    return HIDDEN;
  }
}

/** A pattern whose `*` fits slashes, too. */
export function acrossNames(pattern: string): readonly string[] {
  const below = `**/${pattern.replace(/^\.\//, "")}`;
  const star = /(?<!\*)\*(?!\*)/g;
  return [...withDots(below), ...star.test(pattern) ? withDots(below.replace(star, "*/**/*")) : []];
}

/** A pattern, and what it fits where it stands for a leading dot, too; `*.ts` is seldom meant for `.env.ts`. */
export function withDots(pattern: string): readonly string[] {
  const [, before, choices, after = ""] = /^([^{]*)\{([^{}]*)\}([^{]*)$/.exec(pattern) ?? [];
  if (choices !== undefined && choices.length < 100) {
    return choices.split(",").flatMap((each) => withDots(`${before}${each}${after}`));
  }
  const plain = pattern.replace(/\\([^])/g, "$1")
    .replace(/\{[^{}]*\}/g, (group) => /[{,]\./.test(group) ? ".*" : "*");
  const dotted = plain.split("/").map((name) => {
    if (name.startsWith("?")) return `.${name.slice(1)}`;
    if (name.startsWith("*") && !/^\*+$/.test(name)) {
      return /^\*+(?:[^*?[]*[^v*?[])?\.(?!(?:local|dev|prod|test|stag)\w*$)/.test(name)
        ? name.replace(/^\*+/, "")
        : `.${name}`;
    }
    const set = /^\[[!^]?\]?[^\]]*\]/.exec(name)?.[0];
    const fitsDot = set !== undefined && (/^\[[!^]|\./.test(set) || set.includes("[:") ||
      [...set.matchAll(/(.)-(.)/gu)].some(([, from = "", to = ""]) => from <= "." && to >= "."));
    return fitsDot ? `.${name.slice(set.length)}` : name;
  }).join("/");
  return dotted === plain ? [plain] : [plain, dotted];
}
