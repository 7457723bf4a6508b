import * as v from "valibot";

/**
 * Parse an object that a caller gave, field by field.
 *
 * @param schema A strict object: a field that it does not name is refused.
 * @param fail Makes the error for the first field that cannot be used, from its name, its value and
 *   what is wrong with it.
 */
export function checkFields<Schema extends v.StrictObjectSchema<v.ObjectEntries, undefined>>(
  schema: Schema,
  given: unknown,
  fail: (field: string, value: unknown, why: string) => Error,
): v.InferOutput<Schema> {
  if (typeof given !== "object" || given === null) {
    throw fail("options", given, "it must be an object");
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
    throw fail(field, issue.input, issue.message);
  }
  if (issue.expected !== "never") throw fail(field, undefined, "it is missing");
  // The value of an unknown field is found at the end of its path; the issue has the name.
  const known = field.includes(".") ? "" : `; there are ${Object.keys(schema.entries).join(", ")}`;
  throw fail(field, issue.path?.at(-1)?.value, `there is no such option${known}`);
}
