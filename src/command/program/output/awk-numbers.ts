/** A variable, a field, a number, or what counts or cuts. */
const TERM = String
  .raw`(?:int\([^()="]*\)|length(?:\([^()="]*\))?|\$(?:\d+|NF)|F?NR|NF|\d+(?:\.\d+)?|[a-z]\w*(?![\w([]))`;
/** What awk computes: a text in it counts as the number that it begins with. */
const COMPUTED = String
  .raw`\(?(?:${TERM}(?: ?[-+*\/%] ?${TERM})+|int\([^()="]*\)|length(?:\([^()="]*\))?|F?NR|NF|\d+)\)?`;
const ENDS = String.raw`(?=\s*(?:[;}\n]|$))`;
const PRINTS = new RegExp(
  String.raw`\bprint ?(?:${COMPUTED}|[a-z]\w* ?\? ?${COMPUTED} ?: ?${COMPUTED})${ENDS}`,
  "g",
);
/** Numbers by their format; what follows sets nothing. */
const FORMATS = new RegExp(
  String.raw`\bprintf ?\(?"%\d*(?:d|i|\.\d+f)(?:\\n)?", ?(?:[^"=;}>|]|==)+${ENDS}`,
  "g",
);
const PRINTS_VARIABLE = new RegExp(String.raw`\bprint ([a-z]\w*)${ENDS}`, "g");
/** A text that is compared; a slash in it could end a regular expression. */
const COMPARED = /[!=]= ?"[^"\/\\]*"/g;
/** A regular expression: behind what no division follows, or with nothing in it that could be more. */
const EXPRESSION = /(?<=(?:^|[&|!~(,{};\n]) ?)\/(?:[^"\/\n\\]|\\.)*\/|\/(?:[^"\/{}\n\\;]|\\.)*\//g;
/** What reads, starts or sets more than a program shows, wherever it stands; `NR` and `NF` can be set to a text, too. */
const OTHER =
  /getline|system|close|fflush|func|sub ?\(|split|match|@|\b(?:OFMT|CONVFMT|ORS|OFS|RS|FS|SUBSEP)\b|\b(?:F?NR|NF)\)* ?(?:=(?!=)|in\b)/;

/** Whether all that a program of awk prints are numbers; `given` is what `-v` sets. */
export function awkPrintsNumbers(program: string, given: readonly string[]): boolean {
  const code = program.replace(/[ \t]+/g, " ");
  const rest = code.replace(FORMATS, "").replace(PRINTS, "");
  const names = [...rest.matchAll(PRINTS_VARIABLE)].map(([, name = ""]) => name);
  const left = rest.replace(PRINTS_VARIABLE, "").replace(COMPARED, "");
  return left !== code && !/print/.test(left) && !OTHER.test(code.replace(COMPARED, "")) &&
    hasActions(left.replace(EXPRESSION, "1")) &&
    names.every((name) =>
      isCounter(name, code) && !given.some((each) => each.startsWith(`${name}=`))
    );
}

/** Whether a program computes a variable, and sets it to numbers alone. */
function isCounter(name: string, code: string): boolean {
  return new RegExp(String.raw`\b${name} ?(?:[-+*\/]=|\+\+|--)|(?:\+\+|--)${name}\b`).test(code) &&
    !new RegExp(String.raw`\b${name}\)* ?(?:=(?!=| ?\d+ ?[;}\n])|\[|in\b)`).test(code);
}

/** Whether every pattern has an action: alone it prints whole lines. */
function hasActions(program: string): boolean {
  if (/["#@\\\/]/.test(program)) return false;
  let rest = program;
  for (let before = ""; before !== rest;) {
    before = rest;
    rest = rest.replace(/\{[^{}]*\}/g, "@");
  }
  return /^(?:[^@{};\n]*@[\s;]*)+$/.test(rest);
}
