import type { Analysis, SimpleCommand } from "../../event/analysis.ts";
import type { Concern } from "../../event/permission.ts";

/** The danger of running what comes from an address. */
const INSTALL_URL = "install-url";
const FETCHES = /^(?:curl|wget|wget2|aria2c|http|https|xh)$/;
/** An address of this machine brings what is here. */
const LOCAL = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/;

/** Find programs that are run after the line itself has fetched them from an address. */
export function fetchedConcerns(
  { commands, uses = [] }: Analysis,
  accept: ReadonlySet<string>,
): readonly Concern[] {
  if (accept.has(INSTALL_URL)) return [];
  const fetched = new Set<string>();
  return commands.flatMap((command) => {
    const { argv, span, program, redirects } = command;
    const run = [argv[0], ...(program.runs ? [operandOf(command)] : [])]
      .find((word) => word?.includes("/") || word !== argv[0] ? names(fetched, word) : false);
    if (FETCHES.test(argv[0] ?? "") && !argv.some((word) => LOCAL.test(word ?? ""))) {
      for (const { access, path, by, span: at } of uses) {
        if (access === "write" && path && by === argv[0] && at.start === span.start) {
          fetched.add(path);
        }
      }
      for (const { operator, target } of redirects) {
        if (operator.startsWith(">") && target) fetched.add(target);
      }
    }
    if (run === undefined || run === null) return [];
    return [{ reason: `"${run}" is fetched and run`, span, danger: INSTALL_URL }];
  });
}

/** The script that a shell or an interpreter runs. */
function operandOf({ argv }: SimpleCommand): string | null | undefined {
  return argv.slice(1).find((word) => !/^[-+]/.test(word ?? ""));
}

/** Whether a word names one of some files. */
function names(files: ReadonlySet<string>, word: string | null | undefined): boolean {
  const plain = word?.replace(/^(?:\.\/)+/, "");
  if (!plain) return false;
  return [...files].some((file) => {
    const known = file.replace(/^(?:\.\/)+/, "");
    return known === plain || known.endsWith(`/${plain}`) || plain.endsWith(`/${known}`);
  });
}
