import * as v from "valibot";
import { isMissing, whyWrong } from "./why-wrong.ts";
import { shownValue } from "./shown.ts";

/**
 * Parse an object that a caller gave, field by field.
 *
 * @param schema A strict object: a field that it does not name is refused.
 * @param fail Makes the error for the first field that cannot be used, from its name, its value and
 *   what is wrong with it; or what a TypeError says before them, such as `Cannot read "a" with`.
 */
export function checkFields<Schema extends v.StrictObjectSchema<v.ObjectEntries, undefined>>(
  schema: Schema,
  given: unknown,
  fail: string | ((field: string, value: unknown, why: string) => Error),
): v.InferOutput<Schema> {
  const failure = typeof fail === "function"
    ? fail
    : (field: string, value: unknown, why: string) =>
      new TypeError(`${fail} ${field} ${shownValue(value)}: ${why}`);
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw failure("options", given, "it must be an object");
  }
  const present = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  );
  const { success, output, issues } = v.safeParse(schema, present);
  if (success) return output;
  const [issue] = issues;
  const field = v.getDotPath(issue) ?? "options";
  // Of an object with a field too many.
  if (issue.type !== "strict_object" || issue.expected !== "never") {
    throw failure(field, isMissing(issue) ? undefined : issue.input, whyWrong(issue));
  }
  // The value of an unknown field is found at the end of its path; the issue has the name.
  const { path = [] } = issue;
  const known = fieldsAt(schema, path.slice(0, -1)).join(", ");
  const others = known === "" ? "" : `; there are ${known}`;
  throw failure(field, path.at(-1)?.value, `there is no such option${others}`);
}

/** A schema, as far as it leads to those of its parts. */
interface Part {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Part>>;
  readonly item?: Part;
  readonly wrapped?: Part;
  readonly getter?: (input: unknown) => Part;
}

/** The names of the fields of an object in an object; none where that is one of several kinds. */
function fieldsAt(
  schema: Part,
  path: readonly { readonly key: unknown; readonly value: unknown }[],
): readonly string[] {
  let part: Part | undefined = schema;
  for (const { key, value } of path) {
    part = part?.entries?.[String(key)] ?? part?.item;
    for (let inner = part; inner !== undefined; inner = inner.wrapped ?? inner.getter?.(value)) {
      part = inner;
    }
  }
  return Object.keys(part?.entries ?? {});
}
