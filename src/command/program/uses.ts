import type { PathUse } from "../../event/analysis.ts";
import {
  ANY,
  GIVEN,
  NOT_FOLLOWED,
  NUMBER,
  OUTSIDE,
  PARTS,
  PIPE_NAME,
  UNKNOWN,
} from "../words/placeholders.ts";
import {
  isMany,
  isPattern,
  mayBeOption,
  partsOf,
  plainText,
  quoted,
  type Words,
} from "../words/word-marks.ts";
import { PROTECTED_NAMES } from "../../platform/file/protected-names.ts";
import { copiedInto, linked, savedNames, suffixed, unpacked } from "./made-names.ts";
import { givenAs, type GivenOption, has, valuesOf } from "./parse-options.ts";
import type { Program } from "./program-record.ts";
import { pattern } from "./remembered.ts";
import type { Command, RawUse } from "./taken-apart.ts";

/** Whether one of the options by which a program only shows what is there stands in front of its operands. */
export function showsOnly({ program, words, parsed }: Command): boolean {
  const first = words.indexOf(parsed.operands[0] ?? "");
  return givenAs(parsed, program.shows).some(({ word }) =>
    first < 0 || words.indexOf(word) < first
  );
}

/** The paths that a program names in its words. */
export function pathUses(command: Command): readonly RawUse[] {
  const { name, program, words, spec, parsed } = command;
  const marked = valuesOf(parsed, program.marked)
    .map((value) => plainText(value).replace(/[<;"]/g, ","))
    .filter((value) => /(?:^|=)[@,]/.test(value));
  const uses = [
    ...used(valuesOf(parsed, program.writes), showsOnly(command) ? "read" : "write"),
    ...used(givenAs(parsed, program.reads).flatMap(fileOf), "read"),
    ...used(valuesOf(parsed, program.lists), "read"),
    ...namedPaths(marked, "use"),
    ...operandUses(command),
    ...used(savedNames(program, parsed), "write"),
  ];
  const isLoaded = loadedFile(program, words);
  // What no part of the record is about.
  const { starts, operands, runs } = program;
  const apart = starts?.apart && words.some((word) => pattern(starts.behind ?? "").test(word));
  const told = operands !== undefined && !parsed.unknown &&
    (spec !== undefined || operands === "none");
  if (!told && program.syntax !== "git" && name !== "find") {
    const started = startsCommand(program) && !parsed.unknown;
    const own = started ? words.slice(0, parsed.rest) : words;
    const isText = (word: string) =>
      parsed.options.some(({ text, value, word: given }) =>
        text && (value === word || given === word)
      );
    for (const [at, word] of own.entries()) {
      if (isText(word)) continue;
      const before = plainText(own[at - 1]);
      // `make PREFIX=/usr/local` takes text.
      const isValue = /^-/.test(before) && !/^g?make$/.test(name);
      const text = apart
        ? !OF_THIS_MACHINE.test(`${before} ${word}`)
        : runs && /^(?!type=|dest=)\w+=/.test(word) && !isValue;
      const here = starts?.apart ? word.replace(ELSEWHERE, "") : word;
      uses.push(...namedPaths([here], isLoaded(word) ? "load" : text ? "name" : "use"));
      if (!apart) continue;
      const mounted = MOUNT.exec(word.replaceAll(QUOTED_COMMA, ","))?.slice(1).join("") ?? "";
      if (UNKNOWN_MOUNT.test(mounted)) uses.push({ access: "read", marked: UNKNOWN });
      else uses.push(...namedPaths([mounted], "use"));
    }
  }
  if (told) {
    // A value can be an operand where the table is wrong about an option.
    const values = parsed.options
      .filter(({ text, value, unknown }) => !text && (value !== undefined || unknown))
      .map(({ value, word }) => value ?? word);
    uses.push(...namedPaths(values, "use"));
  }
  return uses.filter(({ marked }) => marked !== "-" && marked !== PIPE_NAME && marked !== "");
}

/** The file that an option names; one that takes text takes a pair for that, as `curl -b name=value`. */
function fileOf({ text, value }: GivenOption): Words {
  return value === undefined || (text && PAIR.test(value)) ? [] : [value];
}

const PAIR = new RegExp(`^[^${ANY}]*=`);

const ENV_FILE = /^--env-file(?:-if-exists)?(?:=(.+))?$/;

/** Says of words whether they name files of variables that a program does not show. */
function loadedFile({ loads }: Program, words: Words): (word: string) => boolean {
  if (loads === undefined) return () => false;
  const isFile = (word: string, at: number) =>
    ENV_FILE.exec(word)?.[1] !== undefined ||
    words[at - 1]?.search(/^--env-file(?:-if-exists)?$/) === 0;
  const others = words.filter((word, at) => !isFile(word, at) && !ENV_FILE.test(word));
  const silent = pattern(loads).test(others.map(plainText).join(" "));
  return (word: string) => silent && isFile(word, words.indexOf(word));
}

/** A path of a container or a pod, as in `web:/app`. */
const ELSEWHERE = new RegExp(`^[\\w${ANY}][\\w./-]*:[^]*$`);
/** Files of this machine in the words of a container. */
const OF_THIS_MACHINE = /(?:^| )--(?:cidfile|iidfile|metadata-file|env-file|label-file)[ =]/;
/** A path of this machine that is mounted elsewhere, as in `-v /a:/b` and `type=bind,source=/a`. */
const MOUNT = new RegExp(
  `^(?:-\\w*v=?|--volume=)?([./~${ANY}][^:]*):/|^(?:--mount=)?(?:[^=]*=[^,]*,)*"?(?:source|src)=([^,"]*)`,
);
const QUOTED_COMMA: string = quoted(",");

const UNKNOWN_MOUNT = new RegExp(`^[${OUTSIDE}${NOT_FOLLOWED}]`);

/** Whether the first operands end the words of a program, and a command follows. */
function startsCommand({ starts }: Program): boolean {
  return starts !== undefined && starts.behind === undefined;
}

/** The same use of several words. */
export function used(words: Words, access: PathUse["access"]): readonly RawUse[] {
  return words.map((marked) => ({ access, marked }));
}

function operandUses(command: Command): readonly RawUse[] {
  const { program, words, parsed } = command;
  if (program.syntax === "dd") {
    const values = (name: string) =>
      words.flatMap((word) => word.startsWith(`${name}=`) ? word.slice(3) : []);
    // What is not known can name a file to write.
    const unknown = words.filter(mayBeOption).map(() => UNKNOWN);
    return [...used(values("if"), "read"), ...used([...values("of"), ...unknown], "write")];
  }
  // Those of what it starts are not its own.
  const end = startsCommand(program) ? program.starts?.operands ?? 0 : undefined;
  // What is changed in place is a file, also where it stands alone, as in `yq -i FILE`.
  const isAlone = parsed.operands.length === 1 && has(parsed, program.writing);
  const skipped = isAlone || has(parsed, program.unless) ? 0 : program.skip ?? 0;
  // A pattern can be several names, of which the first is no path.
  const isClear = !parsed.operands.slice(0, skipped).some((each) =>
    isMany(each) || isPattern(each)
  );
  const operands = parsed.operands.slice(isClear ? skipped : 0, end);
  if (program.operands !== "none" && showsOnly(command)) return used(operands, "read");
  switch (program.operands) {
    case "read": {
      // `tar -C DIR` looks for them there.
      const there = program.syntax === "tar" ? valuesOf(parsed, "C") : [];
      if (there.length > 1) return used([...operands, UNKNOWN], "read");
      if (there.length > 0 && !has(parsed, program.writing)) {
        const inside = there.flatMap((dir) => operands.map((each) => `${dir}/${each}`));
        return used([...operands, ...inside], "read");
      }
      if (!has(parsed, program.writing)) return used(operands, "read");
      const copies = valuesOf(parsed, program.writing)
        .flatMap((suffix) => operands.map((each) => each + suffix));
      return used([...operands, ...copies], "write");
    }
    case "write":
      return used(operands, "write");
    case "use":
    case "name":
      return namedPaths(operands, program.operands);
    case "change":
      return changed([
        ...new Set([
          ...operands,
          ...unpacked(operands, valuesOf(parsed, "S suffix")),
          ...suffixed(operands, parsed),
        ]),
      ]);
    case "copy":
    case "move":
      return has(parsed, program.writing) ? used(operands, "write") : copyUses(command, operands);
    case "filter":
      return [...used(operands.slice(0, 1), "read"), ...used(operands.slice(1), "write")];
    case "split": {
      const made = [`${operands[1] ?? "x"}*`];
      return [...used(operands.slice(0, 1), "read"), ...used(made, "write")];
    }
    default:
      return [];
  }
}

function copyUses({ name, program, parsed }: Command, operands: Words): readonly RawUse[] {
  const target = givenAs(parsed, program.target)[0]?.value;
  const alone = target === undefined && operands.length < 2;
  const last = target === undefined && !alone;
  const into = last ? operands.slice(-1) : [target ?? []].flat();
  const sources = last ? operands.slice(0, -1) : operands;
  // A link is read from where it stands: in a directory, or beside what it replaces.
  if (name === "ln" && has(parsed, "s") && !has(parsed, "r") && !alone && !parsed.unknown) {
    const places = last && sources.length === 1 ? into.flatMap((at) => [`${at}/..`, at]) : into;
    const read = used(linked(sources, places), "read");
    return [...read, ...used(sources, "name"), ...used(into, "write")];
  }
  // With `-T` the target is the tree itself, as with rsync where a source ends in a slash.
  const isTree = has(parsed, "T") ||
    (name === "rsync" && sources.some((source) => source.endsWith("/")));
  const made = into.flatMap((at) => [at, ...copiedInto(at, sources, isTree)]);
  // What stands behind `/./` is made there with its directories.
  if (has(parsed, name === "rsync" ? "R" : "parents")) {
    made.push(
      ...into.flatMap((at) => sources.map((source) => `${at}/${source.replace(/^.*\/\.\//, "")}`)),
    );
  }
  return [
    ...program.operands === "copy" || alone ? used(sources, "read") : changed(sources),
    ...used([...made, ...suffixed(into, parsed)], "write"),
  ];
}

function changed(files: Words): readonly RawUse[] {
  return [...used(files, "write"), ...namedPaths(files, "use")];
}

/** A quoted pattern that says nothing of a name, as in `go test -run 'TestParse/.*'`. */
const ANY_NAME = new RegExp(`(?:^|/)\\.?[${quoted("*?[")}][^/]*$`);

const UNKNOWN_START = new RegExp(
  `^[^]*[${OUTSIDE}${PARTS}${GIVEN}${NUMBER}${PIPE_NAME}${NOT_FOLLOWED}]/`,
);

/** Whether its first part has blanks, and no later one is hidden or leads upwards. */
function isText(part: string): boolean {
  return /^\/?[^/]*\s/.test(part) && !/\/\./.test(part);
}

/** Several options in one word. */
const OPTION_LIST = /^(?:--?[\w-]+=)?(-[^\s-]\S*\s[^]*)$/;

/** A key behind the letters of options, as in `-fid_rsa`. */
const GLUED_KEY = new RegExp(
  `^-\\w+?(${PROTECTED_NAMES.keys.map((name) => name.replaceAll(".", "\\.")).join("|")})$`,
);

/** What words could name: a program that is not known can read and write it. */
export function namedPaths(words: Words, access: "use" | "name" | "load"): readonly RawUse[] {
  // Of options in one word each is a word, as in `-ldflags='-extld ../x'`.
  const each = words.some((word) => /\s/.test(word))
    ? words.flatMap((word) => OPTION_LIST.exec(word)?.[1]?.split(/\s+/) ?? word)
    : words;
  const parts = new Set<string>();
  for (const word of each) {
    const key = GLUED_KEY.exec(word)?.[1];
    if (key !== undefined) parts.add(key);
    // Another option of letters alone is no path that matters.
    if (/^-[\w-]*$/.test(word)) continue;
    for (const part of /^[\w./][\w./-]*$/.test(word) ? [word] : partsOf(word)) {
      // Of `$x/.env` the end is known.
      const known = part.replace(UNKNOWN_START, "");
      if (known !== "" && !isText(known) && !ANY_NAME.test(known)) parts.add(known);
    }
  }
  return used([...parts], access);
}
