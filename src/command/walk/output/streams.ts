import type { Redirection } from "unbash";

/** Whether standard output and standard error reach what is looked at; `null`: not known. */
export type Streams = Readonly<{ output: boolean; errors: boolean }> | null;

/** Where they lead without a redirection. */
export const DIRECT: Streams = { output: true, errors: false };

/** The path of a file, and nothing that is open already. */
const FILE = /^(?:\/dev\/null|(?!.*(?:\.\.|\b(?:dev|proc|fd)\/))(?:\/tmp\/)?\w[\w./-]*\.\w+)$/;

/** Where redirections lead both. */
export function led(redirects: readonly Redirection[], before: Streams = DIRECT): Streams {
  if (before === null || redirects.length === 0) return before;
  let { output, errors } = before;
  for (const redirect of redirects) {
    const { operator, descriptor } = redirect;
    const target = redirect.type === "Redirect" ? redirect.target : undefined;
    const by = descriptor?.type === "FileDescriptor" ? descriptor.value : descriptor && -1;
    if (operator.startsWith("<") && operator !== "<>") {
      if (by === 1 || by === 2) return null;
      continue;
    }
    const to = target?.value ?? "";
    const isFile = FILE.test(to) && target?.parts === undefined;
    if (operator === ">&" && /^[12]$/.test(to)) {
      const leads: boolean = to === "1" ? output : errors;
      if (by === 2) errors = leads;
      else if (by === 1 || by === undefined) output = leads;
      else return null;
    } else if (/^&>/.test(operator) && isFile) output = errors = false;
    else if (/^>[>|]?$/.test(operator) && (by === undefined || by === 1) && isFile) output = false;
    else if (/^>[>|]?$/.test(operator) && by === 2 && isFile) errors = false;
    else return null;
  }
  return { output, errors };
}
