import { UNKNOWN } from "../words/placeholders.ts";
import { isUnknown, PLACEHOLDERS, plainText, quoted, type Words } from "../words/word-marks.ts";
import { givenAs, has, type ParsedOptions, valuesOf } from "./parse-options.ts";
import type { Program } from "./program-record.ts";

/** The files that a program makes of last names of the addresses in its words. */
export function savedNames({ saves, target, writes }: Program, parsed: ParsedOptions): Words {
  if (saves === undefined || (saves !== "" && !has(parsed, saves))) return [];
  if (saves === "" && givenAs(parsed, writes).some(({ name }) => name === "O")) return [];
  const into = givenAs(parsed, target)[0]?.value ?? ".";
  return [...parsed.operands, ...valuesOf(parsed, "url")].map(plainText).flatMap((address) => {
    const name = address.replace(INDEX, "/index.html").replace(/^[^?#]*\//, "");
    // Some keep what stands behind the path.
    return [name, name.replace(/[?#][^]*$/, "")];
  })
    .filter((name) => name !== "")
    // A name that begins like no protected one is none.
    .map((name) => `${into}/${/^\w/.test(name) ? name.replaceAll(PLACEHOLDERS, "*") : name}`);
}

/** An address that ends in a directory. */
const INDEX = /(?<=^(?:\w+:\/\/)?[^/?#]+)\/?$|\/$/;

/** Where files go on that are replaced or packed: beside them, with a suffix. */
export function suffixed(files: Words, parsed: ParsedOptions): Words {
  return valuesOf(parsed, "S suffix z").flatMap((suffix) => files.map((each) => each + suffix));
}

/** What files become when they are unpacked in their place: `gunzip a.gz` writes `a`. */
export function unpacked(files: Words, suffixes: Words = []): Words {
  const own = suffixes.flatMap((suffix) =>
    files.flatMap((each) => each.endsWith(suffix) ? each.slice(0, each.length - suffix.length) : [])
  );
  return [...own, ...files.map((each) => each.replace(PACKED, ""))];
}

const PACKED = /(?:\.(?:gz|z|bz2?|xz|zst|lzma|Z|lz4?|br|gpg|asc|age)|[-_](?:gz|z))$/;

/** What becomes of sources in a directory, where that can be a protected name: those are hidden, or hooks. */
export function copiedInto(into: string, sources: Words, isTree: boolean): Words {
  // `cp -r template/. .` can bring a `.git`.
  const whole = /(?:^|\/)\.{1,2}\/?$/.test(into) &&
    (isTree || sources.some((source) => /(?:^|\/)\.\/*$/.test(source)));
  const named = sources.map((source) => source.replace(/\/+$/, "").replace(/^.*\//, ""))
    .filter((name) => !isUnknown(name) && !/^\.{0,2}$/.test(name))
    .filter((name) => name.startsWith(".") || /hooks\/*$/.test(plainText(into)))
    .map((name) => `${into}/${name}`);
  return whole ? [...named, `${into}/.git/config`] : named;
}

/** What links in some places lead to. */
export function linked(targets: Words, places: Words): Words {
  return targets.flatMap((target) =>
    /^[/~]/.test(target)
      ? [target]
      : [...isUnknown(target) ? [target] : [], ...places.map((place) => `${place}/${target}`)]
  );
}

/** A line of a patch that names a file, without the directory that `-p1` takes off. */
const PATCHED = /^(?:---|\+\+\+|Index:|diff --git \S+|(?:rename|copy) to) (?:[ab]\/)?([^\t\n]+)/gm;

/** The files that the text of a patch names. */
export function patchedFiles(patch: string): Words {
  const files = [...patch.matchAll(PATCHED)].map(([, file = ""]) =>
    // What is quoted has escapes.
    file.startsWith('"') ? UNKNOWN : quoted(file)
  );
  return [...new Set(files)].filter((file) => file !== "/dev/null");
}
