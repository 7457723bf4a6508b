import type { ParameterExpansionPart, Word } from "unbash";
import { NUMBER, PARTS } from "./placeholders.ts";
import { isPattern, isUnknown, plainText, quoted } from "./word-marks.ts";

type Operation = NonNullable<ParameterExpansionPart["operation"]>;

/**
 * What `${x#…}`, `${x:…}`, `${x,,}` and `${x// /_}` make of a marked value.
 *
 * @returns `undefined` where that is not followed.
 */
export function changedValue(
  value: string,
  operation: Operation,
  marked: (word: Word) => string,
): string | undefined {
  // What is left of a number is a number, or nothing.
  if (value === NUMBER && isLessOf(operation)) return NUMBER;
  // The beginning of a part of a name is one; what stands further on can begin with a dash or with two dots.
  if (A_PART.test(value) && (isBeginning(operation) || joinsParts(operation))) return value;
  // What a shell counts as one character depends on its locale.
  if (isUnknown(value) || value.startsWith("~") || /[^\0-\x7f]/.test(plainText(value))) {
    return undefined;
  }
  switch (operation.type) {
    case "Remove": {
      const glob = marked(operation.operand);
      return isPattern(value)
        ? removedFromNames(value, operation.operator, glob)
        : removed(plainText(value), operation.operator, glob);
    }
    case "Slice": {
      const [offset, length] = [operation.offset, operation.length].map((word) =>
        word?.text.trim()
      );
      const areNumbers = [offset, length ?? "0"].every((text) =>
        /^(?:0|[1-9]\d*)$/.test(text ?? "")
      );
      if (!areNumbers || isPattern(value)) return undefined;
      const from = Number(offset);
      return value.slice(from, length === undefined ? undefined : from + Number(length));
    }
    case "CaseModification": {
      const { operator, operand } = operation;
      // What brackets stand for is another set in the other case.
      const isSet = isPattern(value) && /[[(]/.test(value);
      if (operand !== undefined || isSet) return undefined;
      const end = operator.length === 2 ? value.length : 1;
      const changed = value.slice(0, end);
      return (operator.startsWith("^") ? changed.toUpperCase() : changed.toLowerCase()) +
        value.slice(end);
    }
    case "Replace":
      return replaced(
        value,
        operation.operator,
        marked(operation.pattern),
        operation.replacement.text,
      );
    default:
      return undefined;
  }
}

const A_PART = new RegExp(`^[${PARTS}]$`);

/** Whether an operation only takes characters away. */
function isLessOf(operation: Operation): boolean {
  return operation.type === "Remove" || operation.type === "Slice" ||
    (operation.type === "Replace" && operation.replacement.text === "" &&
      /^[^\d[*?]+$/.test(operation.pattern.text));
}

/** Whether an operation makes one name of a path, as of a branch that is called `a/b`. */
function joinsParts(operation: Operation): boolean {
  return operation.type === "Replace" && operation.operator === "//" &&
    /^\\?\/$/.test(operation.pattern.text) && /^[-_]$/.test(operation.replacement.text);
}

/** Whether an operation leaves the beginning of a value. */
function isBeginning(operation: Operation): boolean {
  return operation.type === "Slice"
    ? operation.offset.text.trim() === "0"
    : operation.type === "Remove" && operation.operator.startsWith("%");
}

/** Text without what fits a pattern at its beginning or its end. */
function removed(text: string, operator: string, glob: string): string | undefined {
  const expression = globExpression(glob);
  if (expression === undefined) return undefined;
  const atEnd = operator.startsWith("%");
  const lengths = Array.from({ length: text.length + 1 }, (_, length) => length);
  // A doubled operator takes as much as it can.
  if (operator.length === 2) lengths.reverse();
  const fits = (length: number) =>
    expression.test(atEnd ? text.slice(text.length - length) : text.slice(0, length));
  const length = lengths.find(fits) ?? 0;
  return quoted(atEnd ? text.slice(0, text.length - length) : text.slice(length));
}

/** The same for every name that fits a pattern: `${f%.ts}`, `${f%.*}` and the last part of a path. */
function removedFromNames(names: string, operator: string, glob: string): string | undefined {
  if (operator === "##" && glob === "*/") return LAST_NAME.exec(names)?.[0];
  const [ending = ""] = /(?<=\*)\.\w+$/.exec(names) ?? [];
  if (isPattern(glob) && !(operator === "%" && glob === ".*")) return undefined;
  const tail = operator === "%" && glob === ".*" ? ending : plainText(glob);
  if (!operator.startsWith("%") || isUnknown(glob) || tail === "" || !names.endsWith(tail)) {
    return undefined;
  }
  const left = names.slice(0, -tail.length);
  // No name that fits `*.ts` is `.ts`, but one that fits `*x.ts` can be `x.ts`.
  const isLeft = /^[./]/.test(tail) || !/(?:^|\/)\*$/.test(left);
  return (glob === tail || tail === ending) && isLeft ? left : undefined;
}

/** Text, or names that fit a pattern, with one plain character in place of another. */
function replaced(value: string, operator: string, from: string, by: string): string | undefined {
  // In front of a name it would make an option of it.
  const makesOption = by === "-" && isPattern(value) &&
    (value.startsWith(from) || /^[*?]/.test(value));
  if (!/^[\w -]$/.test(from) || !/^[\w-]$/.test(by) || makesOption || /[[(]/.test(value)) {
    return undefined;
  }
  if (operator === "//") return value.replaceAll(from, by);
  return operator === "/" && !isPattern(value) ? value.replace(from, by) : undefined;
}

/** What stands behind the last slash that is in no brackets. */
const LAST_NAME = /(?:\[[^\]]*\]|[^/[])*$/;

/** A pattern as regular expression, where it is made of plain text, `?` and a few `*`. */
function globExpression(glob: string): RegExp | undefined {
  if (isUnknown(glob) || /^~|\\/.test(glob) || /[[\]]|[@!+?*]\(|(?:\*[^*]*){4}/.test(glob)) {
    return undefined;
  }
  const source = [...glob].map((char) =>
    char === "*"
      ? "[^]*"
      : char === "?"
      ? "[^]"
      : plainText(char).replace(/[\\^$.*+?()[\]{}|]/, "\\$&")
  );
  return new RegExp(`^${source.join("")}$`);
}
