import { Argument, Command, type Option } from "commander";
import { quote } from "../shell/quote.ts";
import type { Cli } from "./cli.ts";

/** `shellflow completions`: what lets a shell complete the commands and their options. */
export function completionsCommand({ stdio }: Cli): Command {
  return new Command("completions")
    .description("Print how a shell completes shellflow: source <(shellflow completions bash).")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SCRIPTS)))
    .action(async (shell: keyof typeof SCRIPTS, _: unknown, { parent }: Command) => {
      const commands = parent?.createHelp().visibleCommands(parent) ?? [];
      await stdio.out(`${SCRIPTS[shell](commands).join("\n")}\n`);
    });
}

/** The lines of each script. */
const SCRIPTS = { bash, zsh, fish };

function bash(commands: readonly Command[]): readonly string[] {
  const words = (each: readonly string[]) => `words=${quote(each.join(" "))} ;;`;
  return [
    "_shellflow() {",
    "local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words=",
    "((COMP_CWORD > 1)) || command=",
    // For bash, --option=value is three words.
    "[[ $cur != = ]] || cur=",
    "[[ $before != = ]] || before=${COMP_WORDS[COMP_CWORD-2]}",
    // The line behind it, and values without choices, are left to the completion of files.
    '[[ " ${COMP_WORDS[*]:1:COMP_CWORD-1} " != *" -- "* ]] || return',
    'case "$command $before $cur" in',
    `" "*) ${words(commands.map((command) => command.name()))}`,
    ...commands.flatMap((command) => [
      ...optionsOf(command).filter(takesValue).map((option) =>
        `${quote(`${command.name()} ${nameOf(option)} `)}*) ${words(option.argChoices ?? [])}`
      ),
      `${quote(`${command.name()} `)}*" "-*) ${words(optionsOf(command).map(nameOf))}`,
      `${quote(`${command.name()} `)}*) ${words(argumentsOf(command))}`,
    ]),
    "esac",
    'COMPREPLY=($(compgen -W "$words" -- "$cur"))',
    "}",
    "complete -o default -F _shellflow shellflow",
  ];
}

function zsh(commands: readonly Command[]): readonly string[] {
  const plain = (text: string) => text.replaceAll(/[[\]:\\]/g, "\\$&");
  const choices = (given: readonly string[] = []) =>
    given.length > 0 ? `(${given.join(" ")})` : "_files";
  const option = (each: Option) => {
    const value = takesValue(each) ? `:value:${choices(each.argChoices)}` : "";
    return quote(`*${nameOf(each)}[${plain(each.description)}]${value}`);
  };
  const names = commands.map((each) => quote(`${each.name()}:${plain(purposeOf(each))}`));
  return [
    "_shellflow() {",
    `local -a commands=(${names.join(" ")})`,
    "((CURRENT > 2)) || { _describe command commands; return; }",
    "shift words; ((CURRENT--))",
    "case $words[1] in",
    ...commands.map((command) => {
      const rest = quote(`*:argument:${choices(argumentsOf(command))}`);
      return `${command.name()}) _arguments -S ${
        optionsOf(command).map(option).join(" ")
      } ${rest} ;;`;
    }),
    "esac",
    "}",
    "compdef _shellflow shellflow",
  ];
}

function fish(commands: readonly Command[]): readonly string[] {
  const word = (text: string) => `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
  const line = (when: string, rest: string) => `complete -c shellflow -n ${word(when)} ${rest}`;
  const choices = (given: readonly string[]) => `-x -a ${word(given.join(" "))}`;
  return commands.flatMap((command) => {
    const seen = `__fish_seen_subcommand_from ${command.name()}`;
    const about = `-f -a ${command.name()} -d ${word(purposeOf(command))}`;
    const given = argumentsOf(command);
    return [
      line("__fish_use_subcommand", about),
      ...(given.length > 0 ? [line(seen, choices(given))] : []),
      ...optionsOf(command).map((option) => {
        const value = option.argChoices ? choices(option.argChoices) : takesValue(option) && "-r";
        return line(
          seen,
          `-l ${nameOf(option).slice(2)} -d ${word(option.description)} ${value || ""}`,
        );
      }),
    ];
  });
}

const optionsOf = (command: Command) => command.createHelp().visibleOptions(command);
const nameOf = ({ long, short }: Option) => long ?? short ?? "";
const takesValue = ({ required, optional }: Option) => required || optional;
const argumentsOf = ({ registeredArguments }: Command) =>
  registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
/** The first words of what a command is for. */
const purposeOf = (command: Command) => command.description().split(/[.:] |\.$/)[0] ?? "";
