/** Digits, what stands between them in numbers, and how often. */
const DIGITS =
  /^(?:\[(?:\[:digit:\]|\d-\d|[\d,])+\]|\d|[-:%,]|\\\.(?!\\\.)|[+*?]|\\[+?]|\\?\{\d*,?\d*\\?\}|\\?[()|])+$/;

/** Whether all that fits a part of a regular expression is a number; `\d` is a digit only for Perl. */
export function fitsNumbers(
  expression: string,
  { perl = false }: { readonly perl?: boolean } = {},
): boolean {
  const plain = expression.replace(/^\^|\$$|\\b|\?:/g, "");
  return DIGITS.test(perl ? plain.replaceAll("\\d", "0") : plain);
}

/** Whether all that fits a part of a regular expression is without blanks. */
export function fitsWord(expression: string): boolean {
  return /^(?:[\w:%,<>=-]|\\[.wSd]|\[[\w.,:-]+\]|[+*])+$/.test(expression);
}

/** The part of a Perl expression that is in its match: behind `\K`, without what is looked at around it. */
export function matchOf(expression: string): string {
  return expression.replace(/^[^]*\\K/, "").replace(/^\(\?<=[^()]*\)/, "")
    .replace(/\(\?=[^()]*\)$/, "");
}

/** An operand of arithmetic in awk. */
const OPERAND = String.raw`[-!]?(?:\d+(?:\.\d+)?|\$?(?:NF|\w+)(?:\[[^\[\]]*\])?(?:\+\+|--)?)`;
const OPERATED = new RegExp(`^${OPERAND}(?: ?[-+*/%^] ?${OPERAND})+$`);
const CALLED = /\b(?:int|length|sqrt|log|exp|index|systime)?\(([^()]*)\)/;
const ALWAYS = /^(?:N[RF]|FNR|length|\d+(?:\.\d+)?)$/;

/** What changes more than the text of a print statement shows. */
const UNFOLLOWED =
  /#|\\\n|getline|\b(?:func(?:tion)?|switch|in|sub|gsub|gensub|split|match|patsplit)\b(?!\()|\b(?:sub|gensub|split|match|patsplit)\(|\b[A-Z]{2,}\s*(?:[-+*\/%^]?=(?!=)|\+\+|--)|(?:\+\+|--)\s*[A-Z]{2,}\b|"[^"]*[{};][^"]*"|\/[^\/\n]*[{};][^\/\n]*\//;

/** Whether an awk program is made of patterns that all have an action, and nothing in it surprises. */
export function isFollowedInAwk(program: string): boolean {
  if (UNFOLLOWED.test(program.replace(HARMLESS_GSUB, ""))) return false;
  let outside = program;
  for (let inner; (inner = outside.replace(/\{[^{}]*\}/g, "\0")) !== outside;) outside = inner;
  return /^\s*(?:[^;\n\0{}]*\0[\s;]*)+$/.test(outside);
}

/** What takes characters away from a field. */
export const HARMLESS_GSUB: RegExp = /\bgsub\((?:"[^"{};]*"|\/[^/{};]*\/), *"", *\$\d\);?/g;

/** Whether all that an awk program prints are numbers. */
export function printsNumbersInAwk(program: string): boolean {
  const printed = [...program.matchAll(/\bprint(f?)\b *([^;}\n]*)/g)];
  return printed.length > 0 && !/[>|]\s*"/.test(program) &&
    printed.every(([, format, text = ""]) =>
      format === ""
        ? isNumericInAwk(text, program)
        : /^\(?"(?:%[-+0# ]*\d*(?:\.\d+)?[dif]|[\d:. %]|\\[nt])+"(?:,|$)/.test(text)
    );
}

function isNumericInAwk(text: string, program: string): boolean {
  let plain = text.trim();
  for (let inner; (inner = CALLED.exec(plain)) !== null;) {
    const isCall = !inner[0].startsWith("(");
    if (!isCall && !isNumericInAwk(inner[1] ?? "", program)) return false;
    plain = plain.replace(inner[0], " 0 ").replace(/ +/g, " ").trim();
  }
  const [, yes, no] = /^[^?:,]*\?([^?:,]*):([^?:,]*)$/.exec(plain) ?? [];
  if (yes !== undefined && no !== undefined) {
    return isNumericInAwk(yes, program) && isNumericInAwk(no, program);
  }
  return ALWAYS.test(plain) || OPERATED.test(plain) || isCounter(plain, program);
}

/** Whether a variable of an awk program only counts or adds up. */
function isCounter(name: string, program: string): boolean {
  if (!/^[A-Za-z_]\w*$/.test(name)) return false;
  const used = String.raw`(\+\+|--)?(?<![\w$])${name}(?![\w(\[])\s*(\+\+|--|[-+*/%^]?=(?!=))?`;
  const changes = [...program.matchAll(new RegExp(used, "g"))]
    .filter(([, before, behind]) => before !== undefined || behind !== undefined);
  return changes.length > 0 &&
    changes.every(({ index, 0: { length }, 2: operator }) =>
      operator !== "=" || NUMBER_ALONE.test(program.slice(index + length))
    );
}

const NUMBER_ALONE = /^\s*(?:N[RF]|-?\d+(?:\.\d+)?)\s*(?:[;,})\n]|$)/;

/** A `jq` filter that ends with a function whose result is a number. */
export const JQ_NUMBER: RegExp =
  /^(?:[^]*\|)?\s*(?:length|utf8bytelength|tonumber|floor|ceil|round)\s*$/;
