/** What a program does with its operands, as paths. */
export type Operands =
  | "read"
  | "write"
  | "none"
  /** All are read and written. */
  | "change"
  /** All but the last are read, the last is written. */
  | "copy"
  /** All are written, as the sources go away. */
  | "move"
  /** All are files with which anything can be done. */
  | "use"
  /** They can be files or other names, such as those of branches. */
  | "name"
  /** The first is read, the others are written. */
  | "filter"
  /** The first is read, and files are written whose names begin with the second. */
  | "split";

/** A reason to ask although a rule covers the command. All that is given must hold. */
export interface DangerRule {
  /** The name by which a policy accepts it. */
  readonly name: string;
  readonly reason: string;
  /** One of these options, without dashes, separated by blanks. */
  readonly options?: string;
  /** A regular expression that the value of one of them fits. */
  readonly values?: string;
  /** Operands from the first one on, such as `stash drop`; alternatives separated by `|`. */
  readonly verbs?: string;
  /** Operands from the first one on with which it does not hold, where every option is known. */
  readonly unless?: string;
  /** A regular expression that the first operand fits. */
  readonly first?: string;
  /** A regular expression that an operand or an option's value fits. */
  readonly words?: string;
  /** It does not hold where the words in front of `--`, with blanks between, fit this regular expression; a blank in a word is `\x1f`. */
  readonly without?: string;
  /**
   * Regular expressions of which the name of the program and its words fit one, from the first word on; ` … ` stands
   * for any words, ` -…` for any options, and what is in front of the first blank for the name.
   */
  readonly lines?: readonly string[];
  /** It gets a file, or what a program prints, as its input. */
  readonly input?: true;
  /** A word is code that starts programs. */
  readonly code?: true;
  /** Only operands are looked at for `words`, not the values of options. */
  readonly operandsAlone?: true;
  /** At most this many operands. */
  readonly most?: number;
  /** With these options alone, the first or one of `options` given, it does not hold, where all words are known. */
  readonly except?: string;
  /** For that it is enough to know how words begin that are JSON, a header, a value of a form, or an address of this machine. */
  readonly startsKnown?: true;
  /** A regular expression that all operands must fit for that. */
  readonly exceptOperands?: string;
}

/** How a program starts the command in its own words. */
export interface Starts {
  /** Operands before the command; default 0. */
  readonly operands?: number;
  /** `NAME=value` words may come before the command. */
  readonly assignments?: true;
  /** The words after the options are one text for a shell. */
  readonly text?: true;
  /** Every operand is a text for a shell of its own. */
  readonly each?: true;
  /** Options with which it starts nothing. */
  readonly except?: string;
  /** Options that name the directory in which the command runs. */
  readonly directory?: string;
  /** Options that change where or how the command runs, so that it is not certain what it does. */
  readonly unless?: string;
  /** It appends words that are known only at run time. */
  readonly appends?: true;
  /** The option whose value is replaced in the command's words by text known only at run time. */
  readonly replaces?: string;
  /** Subcommands behind which the command stands, as regular expression; what stands between is not known, unless it is `text`. */
  readonly behind?: string;
  /** It runs apart from this machine's files, so the paths of the command are others. */
  readonly apart?: true;
  /** Without a command it starts a shell, which reads the input. */
  readonly shell?: true;
  /** The command does what it does without it, so a rule for the command covers both. */
  readonly transparent?: true;
}

/** What is known of a program. All in one record: a new program is one entry. */
export interface Program {
  /** The names of programs, separated by blanks; several of the same program by commas, the one first by which rules know it. */
  readonly names: string;
  /** The table of its options, see `parse-options.ts`; absent: not known. */
  readonly options?: string;
  /** More names of options, by commas, where its table has none: rules that restrict know them all. */
  readonly sameOptions?: string;
  /** A grammar of its own in its words. */
  readonly syntax?: "git" | "sed" | "awk" | "find" | "tar" | "dd" | "shell" | "language";
  /** What it does with operands; absent: only options that look like output paths count. */
  readonly operands?: Operands;
  /** Leading operands that are no paths, unless one of the options in `unless` was given. */
  readonly skip?: number;
  readonly unless?: string;
  /** Options whose value is a path that is read. */
  readonly reads?: string;
  /** Options whose value is a path that is written. */
  readonly writes?: string;
  /** Options whose value is text, or names a file behind `@` or `<`. */
  readonly marked?: string;
  /** Options that take names from a list: from the file that is their value, or from the input. */
  readonly lists?: string;
  /** Options with which the last names of addresses become files here; empty: always. */
  readonly saves?: string;
  /** Options that make the operands written instead of read. */
  readonly writing?: string;
  /** The option that names the directory which all operands go to, or what they hold. */
  readonly target?: string;
  /** It gets what its operands are addresses of, from this machine alone where they say so, except with these options. */
  readonly fetches?: string;
  /** With words that fit this regular expression, it makes files that an archive or a patch names. */
  readonly unpacks?: string;
  /** It runs the file that its first operand names, except where its name and words fit this regular expression. */
  readonly script?: string;
  /** Options whose value is a file that it runs. */
  readonly scripts?: string;
  /** Names of files that it runs where it is, or in the directory that `target` names. */
  readonly files?: string;
  /** It starts the command in its own words. */
  readonly starts?: Starts;
  /** With words that fit this regular expression, it shows nothing of the file behind `--env-file`. */
  readonly loads?: string;
  /** Options whose value is text for a shell. */
  readonly texts?: string;
  /** A regular expression for its own commands that run others or write; the text that it reads is looked at for dangers, too. */
  readonly escape?: string;
  /** The same for what is typed into it, where that is no input. */
  readonly keys?: string;
  /** It runs code that the line does not show: the workspace's, or what it loads. No rule is suggested for it. */
  readonly runs?: true;
  /** It only reads, except with these options; an option that is not in the table ends that, too. */
  readonly readOnly?: string;
  /** In place of both: the only options with which it only reads; `x?` takes what is glued to it. */
  readonly readsWith?: string;
  /** Options in front of its operands with which it only shows what is there: files that it would write are read. */
  readonly shows?: string;
  /** It only reads with these first operands; alternatives separated by `|`, `*` stands for any. */
  readonly verbs?: string;
  /** It only reads with at most this many operands, or with an option of `shows`. */
  readonly most?: number;
  /** It only reads with operands that fit this regular expression. */
  readonly plain?: string;
  /** It only changes the files that it names, except with these options. */
  readonly edits?: string;
  /** It does nothing outside the shell but to files that it names, so it needs no rule beside another command's. */
  readonly inert?: true;
  /** That holds with operands that fit this regular expression alone. */
  readonly inertWith?: string;
  readonly dangers?: readonly DangerRule[];
  /** Its subcommands, with all that stands behind them; the names of one are regular expressions, and the first that fits holds. */
  readonly commands?: readonly Program[];
  /** It takes every beginning of a subcommand that no other one shares. */
  readonly shortens?: true;
  /**
   * Synonyms of subcommands by commas, behind the name by which rules and the record know them; a slash
   * stands between two words, and `*` for any in front.
   */
  readonly synonyms?: string;
  /** Those of its names whose operands are goals, in any order; those that it `runs` without an arity have such operands, too. */
  readonly goals?: string;
  /** How many words say what it does, for suggested rules; absent: all. */
  readonly arity?: number;
  /** The same for some first operands, such as `run:3 stash:3`. */
  readonly arities?: string;
  /**
   * What each line of its output is, with words that fit a regular expression; the first one holds. Columns stand
   * between blanks, tabs or colons: `number`, `part` of a path, a `word` of any text, `any` text,
   * an `object` of JSON, the path of a `temporary` file, or a `setup` for `eval`.
   */
  readonly prints?: Readonly<Record<string, string>>;
}
