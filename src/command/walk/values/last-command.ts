import type {
  Command,
  CommandExpansionPart,
  ProcessSubstitutionPart,
  SyntaxNode,
  Word,
} from "unbash";
import { UNKNOWN } from "../../words/placeholders.ts";

/**
 * The words of the last command whose output a substitution takes, if all of it goes there.
 *
 * @param options.alone Without its errors.
 */
export function lastCommand(
  { script }: Pick<CommandExpansionPart | ProcessSubstitutionPart, "script">,
  { alone = false }: { readonly alone?: boolean } = {},
): readonly string[] | undefined {
  const { commands: [statement, ...others] = [], errors = [] } = script ?? {};
  if (others.length > 0 || errors.length > 0) return undefined;
  const whole = statement?.command;
  // `grep -c x y || true`.
  const command = whole?.type === "AndOr" && whole.operators.join() === "||" &&
      textOf(whole.commands[1]) === "true"
    ? whole.commands[0]
    : whole;
  const members = command?.type === "Pipeline" ? command.commands : [command];
  const last = members.at(-1);
  if (last?.type !== "Command" || last.name === undefined) return undefined;
  const parts = [...last.prefix, ...last.suffix];
  if (parts.some((part) => takesOutput(part, alone))) return undefined;
  const words = [last.name, ...last.args.filter((word) => word.type === "Word")];
  const hasPart = (word: Word, kind: RegExp) => word.parts?.some(({ type }) => kind.test(type));
  if (words.some((word) => hasPart(word, /^ProcessSubstitution$/))) return undefined;
  return words.map((word) => hasPart(word, /Expan/) ? UNKNOWN : word.value);
}

/** The words of a simple command without redirections, where they are all written out. */
function textOf(node: SyntaxNode | undefined): string {
  if (node?.type !== "Command" || node.prefix.length > 0) return "";
  return [node.name, ...node.suffix].map((part) => part?.type === "Word" ? part.value : "\0").join(
    " ",
  );
}

/** Whether a part of a command is a redirection that can lead its output elsewhere. */
function takesOutput(part: Command["suffix"][number], alone: boolean): boolean {
  if (part.type === "Word" || part.type === "Assignment") return false;
  const { descriptor, operator } = part;
  if (descriptor === undefined) return !operator.startsWith("<");
  return descriptor.type !== "FileDescriptor" || descriptor.value === 1 ||
    (alone &&
      (operator === ">&" ||
        (part.type === "Redirect" && TO_OUTPUT.test(part.target?.value ?? ""))));
}

/** A descriptor by its path. */
export const TO_OUTPUT: RegExp = /^\/(?:dev\/(?:stdout|stderr|fd)|proc)(?:\/|$)/;
