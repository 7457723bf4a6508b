/** A part of the command line, in UTF-16 code units: `command.slice(start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A redirection of a simple command or of a construct. */
export interface Redirect {
  readonly operator: string;
  /** The decoded target; absent when it is known only at run time. */
  readonly target?: string;
  /** It is a here-document or a here-string, and the line tells its text. */
  readonly spelled?: true;
  readonly span: Span;
}

/** One word after quote removal; absent text means that it is known only at run time. */
export interface Word {
  readonly text?: string;
  readonly span: Span;
}

/** A command that the line could run, found anywhere in it. */
export interface SimpleCommand {
  /** The decoded words, the program first; a word known only at run time is `null`. */
  readonly argv: readonly (string | null)[];
  /** Variables set before the program's name. */
  readonly assignments: readonly Omit<VariableSet, "span">[];
  readonly redirects: readonly Redirect[];
  readonly span: Span;
  /** The command of the line that starts it; absent: the shell itself. */
  readonly startedBy?: StartedBy;
  readonly program: ProgramFacts;
}

/** How one command of a line starts another. */
export interface StartedBy {
  /** Its index in `commands`. */
  readonly command: number;
  /** The name of its program. */
  readonly name: string;
  /** `words`: in its own words; `reading`: one of several readings of its words; `text`: in text for a shell. */
  readonly how: "words" | "reading" | "text";
}

/** What is known of a command's program. */
export interface ProgramFacts {
  /** It has a record. */
  readonly known: boolean;
  /** The words by the name in the record, where they are others: `rm x` for `/bin/rm x`, `git push` for `git -C a push`. */
  readonly as?: readonly (string | null)[];
  readonly dangers?: readonly Danger[];
  /** With these words it only reads. */
  readonly reads?: true;
  /** It only changes files that it names. */
  readonly edits?: true;
  /** It does nothing but to the shell and to files for output. */
  readonly inert?: true;
  /** It runs code that the line does not show. */
  readonly runs?: true;
  /** It gets something from another machine. */
  readonly fetches?: true;
  /** Names of files and modules in the code of its words, and in the text that it reads. */
  readonly names?: readonly string[];
  /** What it reads comes through a pipe. */
  readonly piped?: true;
  /** It makes files that an archive or a patch names. */
  readonly unpacks?: true;
  /** What it starts, in its words or in a text, does the same without it. */
  readonly transparent?: true;
  /** How many words say what it does. */
  readonly arity?: number;
}

/** A reason to ask although a rule covers the command. */
export interface Danger {
  /** The name by which a policy accepts it. */
  readonly name: string;
  readonly reason: string;
  /** The words that make it dangerous: a rule that spells them covers it. */
  readonly words: readonly string[];
}

/** One use of a path, as far as the line shows. */
export interface PathUse {
  /**
   * `run`: it is the program, or its script; `use`: the program can do anything with it; `load`: it shows nothing of it;
   * `name`: where it is a path of this machine at all.
   */
  readonly access: "read" | "write" | "run" | "use" | "load" | "name";
  /** Absolute and without `.` and `..`; absent: known only at run time. */
  readonly path?: string;
  /** The same with its `..`, which behind a link leads elsewhere; absent: it has none. */
  readonly raw?: string;
  /** It is a pattern, and stands for every file that fits. */
  readonly pattern?: true;
  /** The shell expands its `**`, which goes through links as `*` does. */
  readonly expanded?: true;
  /** It is a new temporary file, and `path` stands for its name. */
  readonly fresh?: true;
  /** The shell goes there, and nothing runs behind it. */
  readonly last?: true;
  readonly span: Span;
  /** The program that uses it; absent: a redirection. */
  readonly by?: string;
}

/** A variable that the line sets for what comes after it. */
export interface VariableSet {
  readonly name: string;
  /** `null`: a part is known only at run time. */
  readonly value: string | null;
  /**
   * What the line spells of a value with such a part; absent: nothing. A number in it is `1`, the path of a new
   * temporary file that of an example, and any other part `…`.
   */
  readonly known?: string;
  readonly span: Span;
}

/** What a line would run and touch, and how sure that is. */
export interface Analysis {
  /** `complete`: everything the line runs is in `commands`. `opaque`: it could run more; see `reason`. */
  readonly certainty: "complete" | "opaque";
  /** Why it is opaque. */
  readonly reason?: string;
  /** Which part made it opaque. */
  readonly span?: Span;
  readonly commands: readonly SimpleCommand[];
  /** Absolute paths that it reads, as far as they are known. */
  readonly reads: readonly string[];
  /** Absolute paths that it writes, as far as they are known. */
  readonly writes: readonly string[];
  /** Some path is known only at run time. */
  readonly dynamic: boolean;
  /** Each use of a path with its place in the line. */
  readonly uses?: readonly PathUse[];
  /** Variables that later commands see. */
  readonly sets?: readonly VariableSet[];
  /** Texts in it that a shell reads: of `bash -c`, `eval`, `trap`, backticks with escapes. */
  readonly texts?: readonly string[];
}
