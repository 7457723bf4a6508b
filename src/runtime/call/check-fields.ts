import * as v from "valibot";
import { shownValue } from "../../event/shown.ts";

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
  // Of an object with a field too many, one too few, or that is no object.
  if (issue.type !== "strict_object" || issue.expected === "Object") {
    throw failure(field, issue.input, issue.message);
  }
  if (issue.expected !== "never") throw failure(field, undefined, "it is missing");
  // The value of an unknown field is found at the end of its path; the issue has the name.
  const known = field.includes(".") ? "" : `; there are ${Object.keys(schema.entries).join(", ")}`;
  throw failure(field, issue.path?.at(-1)?.value, `there is no such option${known}`);
}
