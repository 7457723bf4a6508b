import * as v from "valibot";

/** Names a shell or a task. */
export const shellId: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.maxLength(200, "it is longer than 200 characters"),
  v.regex(/^[^\p{Cc}]*$/u, "it contains a control character"),
);

/** Optional texts without those that are blank or null. */
export function unset<Name extends string>(
  texts: Readonly<Record<Name, string | null | undefined>>,
): Partial<Record<Name, string>> {
  const given: Partial<Record<Name, string>> = {};
  for (const name of Object.keys(texts) as Name[]) {
    const text = texts[name];
    if (text != null && text.trim() !== "") given[name] = text;
  }
  return given;
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
