import { options, parseOptions } from "../../options.ts";
import { either, type Place, resolveWord } from "../../paths/place.ts";
import { isPattern, isUnknown, plainText } from "../../words/marks.ts";

const CD = options("L P e @");
const LOST: Place = { dirs: [], lost: true };

/** Where a command leads the shell: the directory after success, or `undefined` if it stays. */
export function movedTo(
  words: readonly string[],
  { place, home, cdpath }: { place: Place; home: string | undefined; cdpath: boolean },
): Place | undefined {
  const [program, ...rest] = words;
  switch (plainText(program ?? "")) {
    case "cd":
    case "chdir":
      return changed(rest, place, home, cdpath);
    case "pushd":
      return rest.length === 1 && !/^[-+]/.test(plainText(rest[0] ?? ""))
        ? changed(rest, place, home, cdpath)
        : LOST;
    case "popd":
      return LOST;
    default:
      return undefined;
  }
}

function changed(
  words: readonly string[],
  place: Place,
  home: string | undefined,
  cdpath: boolean,
): Place {
  const { operands, unknown } = parseOptions(words, CD);
  if (unknown || operands.length > 1) return LOST;
  const operand = operands[0];
  if (operand === undefined) return home === undefined ? LOST : { dirs: [home], lost: false };
  const text = plainText(operand);
  if (text === "-" || text === "" || isUnknown(operand) || isPattern(operand)) return LOST;
  const paths = resolveWord(operand, { place, home });
  const dirs = paths.filter((path) => path !== null);
  const moved: Place = { dirs, lost: dirs.length < paths.length };
  // With CDPATH set, only a word that starts with a dot or a slash is sure to be taken from here.
  return cdpath && !/^(?:\/|\.\.?(?:\/|$)|~)/.test(operand) ? either(moved, LOST) : moved;
}

/** Names of variables that a builtin sets. */
export function namesSet(
  words: readonly string[],
): readonly { name: string; value: string | null }[] {
  const [program, ...rest] = words;
  const texts = rest.map(plainText);
  switch (plainText(program ?? "")) {
    case "export":
    case "declare":
    case "typeset":
    case "local":
    case "readonly":
      return texts.filter((text) => !text.startsWith("-")).map((text) => {
        const equals = text.indexOf("=");
        if (equals === -1) return { name: text, value: null };
        const value = text.slice(equals + 1);
        return {
          name: text.slice(0, equals).replace(/\+$|\[.*$/g, ""),
          value: isUnknown(value) ? null : value,
        };
      });
    case "read":
    case "getopts":
    case "mapfile":
    case "readarray":
    case "unset":
      return texts.filter((text) => /^[A-Za-z_]\w*$/.test(text)).map((name) => ({
        name,
        value: null,
      }));
    case "wait":
      return texts.flatMap((text, index) =>
        texts[index - 1] === "-p" ? [{ name: text, value: null }] : []
      );
    case "let":
      return texts.flatMap((text) => {
        const match = /^([A-Za-z_]\w*)\W*=/.exec(text);
        return match === null ? [] : [{ name: match[1] ?? "", value: null }];
      });
    case "printf": {
      const glued = /^-v(.+)$/.exec(texts[0] ?? "");
      const name = glued?.[1] ?? (texts[0] === "-v" ? texts[1] : undefined);
      return name === undefined ? [] : [{ name, value: null }];
    }
    default:
      return [];
  }
}
