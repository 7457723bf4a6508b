import * as v from "valibot";
import { messageOf } from "../platform/failure.ts";
import { finderOf } from "../text/search/expression.ts";
import { invalidInput } from "./error/shell-error.ts";

/** Names a shell or a task. */
export const shellId: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.maxLength(200, "it is longer than 200 characters"),
  v.regex(/^[^\p{Cc}]*$/u, "it contains a control character"),
);

/** A field of which models send `null` where they mean none; blank texts are left out by `runnable`. */
type OptionalField<Value> = v.GenericSchema<Value | null | undefined, Value | undefined>;

/** An optional value. */
export function optional<Value>(
  description: string,
  schema: v.GenericSchema<Value>,
): OptionalField<Value> {
  return v.pipe(
    v.nullish(schema),
    v.description(description),
    v.transform((given) => given ?? undefined),
  );
}

/** An optional text. */
export function text(description: string): OptionalField<string> {
  return optional(description, v.string());
}

/** An optional number from 0 on. */
export function amount(
  description: string,
  schema: v.GenericSchema<number> = v.number(),
): OptionalField<number> {
  return optional(description, v.pipe(schema, v.minValue(0)));
}

/** Something that is off unless it is asked for. */
export function flag(description: string): v.GenericSchema<boolean | null | undefined, boolean> {
  return v.pipe(
    v.nullish(v.boolean()),
    v.description(description),
    v.transform((given) => given === true),
  );
}

/** Refuse what is no regular expression, before anything is waited for. */
export async function checkExpression(field: string, expression: string): Promise<void> {
  try {
    await finderOf(expression);
  } catch (cause) {
    throw invalidInput(`${field}: ${messageOf(cause)}`);
  }
}

/** Parse seconds that exceed what is allowed: the effective value and, where it differs, a note. */
export function clampedSeconds(
  name: string,
  requested: number,
  { least, most }: { readonly least: number; readonly most: number },
): { readonly effective: number; readonly note?: string } {
  const effective = Math.min(most, Math.max(least, requested));
  if (effective === requested) return { effective };
  return {
    effective,
    note: `${name} ${requested} s is outside of ${least} to ${most} s: ${effective} s is used`,
  };
}
