import type { Analysis, SimpleCommand } from "../event/analysis.ts";
import type { Concern } from "../event/permission.ts";
import { checkNames, shownWords } from "./words.ts";

/** A kind of command that a tool of the agent serves better. All that is given must hold. */
export interface InterceptionRule {
  /** The tool to name. */
  readonly tool: string;
  /** What to do with it. */
  readonly message: string;
  /** A regular expression for the name of the program. */
  readonly program?: string;
  /** A regular expression for one of its other words. */
  readonly words?: string;
  /** A regular expression for one of its redirections, such as `^>`. */
  readonly redirects?: string;
}

/** Which commands to refuse, because a tool serves them better. */
export interface InterceptionOptions {
  /** The tools that the agent has, of those that rules name. */
  readonly tools: readonly string[];
  /** Default: {@linkcode INTERCEPTION_RULES}. */
  readonly rules?: readonly InterceptionRule[];
}

/** Commands that tools for reading, searching, finding, editing and writing serve better. */
// deno-fmt-ignore
export const INTERCEPTION_RULES: readonly InterceptionRule[] = [
  { tool: "read", message: "It shows line numbers, and cuts long files.", program: "^(?:cat|head|tail|less|more)$", words: "^[^-]" },
  { tool: "search", message: "It respects ignore files.", program: "^(?:grep|rg|ripgrep|ag|ack)$", words: "^[^-]" },
  { tool: "find", message: "It is faster, and respects ignore files.", program: "^(?:find|fd|fdfind|locate)$",
    words: "^(?:-name|-iname|-type|-path|--type|-t|--glob|-g|(?!-).*[*?].*)$" },
  { tool: "edit", message: "It shows what changes.", program: "^(?:sed|perl|ruby)$", words: "^(?:-\\w*i.*|--in-place.*)$" },
  { tool: "edit", message: "It shows what changes.", program: "^g?awk$", words: "^inplace$" },
  { tool: "write", message: "Nothing in its text has to be quoted.", program: "^(?:echo|printf|cat)$", redirects: "^>" },
];

/** A rule, read once. */
export interface Interceptor extends Pick<InterceptionRule, "tool" | "message"> {
  fits(command: SimpleCommand): boolean;
}

/**
 * Read the rules for tools that are there.
 *
 * @throws {Error} When an expression cannot be read, with its text.
 * @throws {TypeError} When no rule names a tool.
 */
export function readInterception(
  { tools, rules = INTERCEPTION_RULES }: InterceptionOptions,
): readonly Interceptor[] {
  checkNames("intercept.tools", tools, rules.map(({ tool }) => tool));
  const read = rules.map(({ tool, message, program, words, redirects }): Interceptor => {
    const [name, word, redirect] = [program, words, redirects].map(expression);
    return {
      tool,
      message,
      fits: ({ argv: [first, ...rest], redirects: opened }) =>
        (name === undefined || (typeof first === "string" && name.test(first))) &&
        (word === undefined || rest.some((each) => each !== null && word.test(each))) &&
        (redirect === undefined ||
          opened.some(({ operator, target }) =>
            redirect.test(operator) && target !== undefined && !/^(?:\d|-|\/dev\/)/.test(target)
          )),
    };
  });
  return read.filter(({ tool }) => tools.includes(tool));
}

function expression(text: string | undefined): RegExp | undefined {
  try {
    return text === undefined ? undefined : new RegExp(text);
  } catch (cause) {
    throw new Error(`Cannot read the interception "${text}": it is no regular expression`, {
      cause,
    });
  }
}

/** Find the tool that serves a line better; only what the line does first counts, behind a leading `cd`. */
export function intercepted(
  { commands }: Analysis,
  interceptors: readonly Interceptor[],
): Concern & Pick<Interceptor, "tool"> | undefined {
  const first = commands.find(({ argv, startedBy }) =>
    startedBy === undefined && argv.length > 0 && argv[0] !== "cd"
  );
  const better = first && interceptors.find((each) => each.fits(first));
  if (first === undefined || better === undefined) return undefined;
  const { tool, message } = better;
  const written = first.redirects.filter(({ operator }) => operator.startsWith(">"))
    .map(({ operator, target = null }) => `${operator} ${shownWords([target])}`);
  const shown = [shownWords(first.argv), ...written].join(" ");
  const reason = `use the tool "${tool}" instead of "${shown}". ${message}`;
  return { reason, span: first.span, tool };
}
