/** A number from 0 to below 1; the same sequence for the same seed. */
export type Random = () => number;

/** Mulberry32 by Tommy Ettinger: 32 bits of state are plenty to choose between lines. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What makes lines: each choice comes from the same source, so that a seed tells the whole script. */
class Lines {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  one<T>(...choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }

  get name(): string {
    return this.one("va", "vb", "vc");
  }

  get array(): string {
    return this.one("aa", "ab");
  }

  get word(): string {
    return this.one("x", "foo", "b*", "a b", "7", "", "ü€", "~", "-n", "a/b.c", "$HOME", "q'q");
  }

  get quoted(): string {
    const { word } = this;
    return this.one(
      `"${word}"`,
      `'${word.replaceAll("'", "")}'`,
      `$'${this.one("a\\tb", "\\x41")}'`,
    );
  }

  get number(): string {
    const { name } = this;
    return this.one(String(this.below(20)), `${name}`, `(${name} + 1)`, `\${#${name}}`);
  }

  get directory(): string {
    return this.one(".", "..", "one", "two", "'sp ace'", "one/deep", "~+", "nowhere", "link");
  }

  get file(): string {
    return this.one("f1", "f2", "one/f3", "$HOME/f4");
  }

  get expansion(): string {
    const { name, array } = this;
    return this.one<string>(
      `"$${name}"`,
      `$${name}`,
      `"\${${name}:-none}"`,
      `"\${${name}#?}"`,
      `"\${${name}//o/0}"`,
      `"\${${name}^^}"`,
      `"\${${name}@Q}"`,
      `"\${${array}[@]}"`,
      `"\${!${array}[@]}"`,
      `"\${#${array}[@]} \${${array}[-1]:-}"`,
      `"\${${array}[*]:1:2}"`,
      `"$((${this.number} * 2))"`,
      `"$(echo sub; exit ${this.below(4)})"`,
      `{a,b}${this.below(3)}`,
      `"\${PWD##*/}"`,
      `"\${OLDPWD##*/}"`,
      `"$#" "$*"`,
      `o*`,
    );
  }

  get test(): string {
    const { name } = this;
    return this.one<string>(
      "true",
      "false",
      `[[ $${name} == *o* ]]`,
      `[[ $${name} =~ ^(.)(.*)$ ]]`,
      `[ -n "$${name}" ]`,
      `((${this.number} > 5))`,
      `test -d ${this.one("one", "two", "gone")}`,
      `[ $${name} = x ]`,
      `! true`,
    );
  }

  /** Something that only prints. */
  get print(): string {
    return this.one<() => string>(
      () => `echo ${this.expansion} ${this.expansion}`,
      () => `printf '<%s>' ${this.expansion} ${this.expansion}; echo`,
      () => `echo "last $?"; echo ${this.expansion}`,
      () => `declare -p ${this.one(this.name, this.array)}`,
      () => `pwd; dirs -l | wc -w`,
      () => `env | grep '^v[abc]=' | sort`,
      () => `type -t ${this.one("fa", "fb", "echo", "if", "al", "nope")}`,
      () => `cat ${this.file}`,
      () => `nope${this.below(3)} arg`,
      () => `echo err >&2; echo out`,
      () => `printf '\\0\\377\\n'`,
      () => `read -r line; echo "$? [$line]"; cat`,
      () => `RANDOM=${this.below(99)}; echo $RANDOM $RANDOM`,
      () => `umask; shopt nullglob extglob; set -o | grep -E 'pipefail|noglob'`,
      () => `${this.test} && echo yes || echo "no $?"; echo "\${BASH_REMATCH[1]-}"`,
      () => `trap -p ERR DEBUG`,
    )();
  }

  /** Something that may leave the shell different. */
  get change(): string {
    const { name, array } = this;
    return this.one<() => string>(
      () => `${name}=${this.quoted}`,
      () => `${name}+=${this.quoted}`,
      () => `((${name} = ${this.number} + ${this.number}))`,
      () => `let ${this.one("va++", "vb-=2", "vc=vc*3%17")}`,
      () => `export ${name}=${this.quoted}`,
      () => `${this.one("export", "export -n", "unset")} ${name}`,
      // An attribute that a value does not fit is one that bash itself cannot show and read back.
      () => `unset ${name}; declare -${this.one("i", "u", "x", "l")} ${name}=${this.below(9)}`,
      () => `${array}=(${this.quoted} ${this.quoted} z); ${array}[5]=five`,
      () => `${array}+=(${this.expansion}); unset '${array}[0]'`,
      () => `unset ab; declare -A ab; ab[k]=${this.quoted}; ab["l m"]=2`,
      () => `cd ${this.directory}`,
      () => `cd -`,
      () => `pushd ${this.directory}`,
      () => `popd`,
      () => `fa() { local va=local; echo "fa $# $1 $va"; ${this.print}; return ${this.below(5)}; }`,
      () => `fb() { echo fb; vb=$1; fa "$@" inner; }`,
      () => `${this.one("fa", "fb")} ${this.expansion} two`,
      () => `unset -f fa`,
      () => `alias al='echo aliased' ; shopt -${this.one("s", "u")} expand_aliases`,
      () => `al word`,
      () =>
        `shopt -${this.one("s", "u")} ${
          this.one("nullglob", "extglob", "lastpipe", "nocasematch")
        }`,
      () => `set ${this.one("-", "+")}o ${this.one("pipefail", "noglob", "noclobber")}`,
      () => `set -- ${this.expansion} ${this.quoted}`,
      () => `trap 'echo caught $?' USR1; kill -USR1 $BASHPID; echo after`,
      () => `trap ${this.one("'echo E'", "-")} ERR; ${this.test}`,
      // Only for a while: who of a pipeline is traced first is chance.
      () => `trap 'echo D' DEBUG; ${name}=${this.quoted}; echo $va; trap - DEBUG`,
      () => `set -x; ${name}=${this.quoted}; echo ${this.expansion}; set +x`,
      () => `exec 5>f5; echo five >&5; exec 5>&-; cat f5`,
      () => `exec 6<<<"$${name}"`,
      () => `read -ru 6 ${name}; echo "$?"`,
      () => `printf -v ${name} '%05d' ${this.below(999)}`,
      () => `mapfile -t ${array} < <(printf '%s\\n' one two; echo "$${name}")`,
      () => `umask ${this.one("022", "077")}`,
      () => `readonly ro=1; ro=2; echo next`,
      () => `echo "echo sourced \\$1; vb=fromfile; return 4" > src; . ./src arg`,
      () => `IFS=${this.one("' \t\n'", ":", "o")}`,
    )();
  }

  get plain(): string {
    return this.one<() => string>(() => this.print, () => this.change)();
  }

  /** A construct around others. */
  get compound(): string {
    const { name } = this;
    return this.one<() => string>(
      () => `if ${this.test}; then ${this.plain}; else ${this.plain}; fi`,
      () =>
        `for i in 1 ${this.expansion} 3; do echo "i=$i"; ${this.test} && continue; ${this.print}; done`,
      () => `for ((i = 0; i < 4; i++)); do ((i == 2)) && break; ${this.plain}; done; echo $i`,
      () => `case $${name} in *o*) ${this.plain} ;; x|7) echo xs ;;& *) ${this.plain} ;; esac`,
      () => `while read -r l; do echo "l=$l"; ${name}=$l; done <<EOF\none $${name}\n  two\nEOF`,
      () => `cat <<'EOF' | tr a-z A-Z\nraw $${name}\nEOF\n${this.plain}`,
      () => `cat <<-EOF\n\ttab $(echo in)\n\tEOF\n`,
      () => `( ${this.plain}; exit ${this.below(9)} ); echo "sub $?"`,
      () => `{ ${this.plain}; } > ${this.file} 2>&1; cat ${this.file}`,
      () => `{ ${this.plain}; ${this.print}; } 2>&1 | sort | head -3; echo "\${PIPESTATUS[@]}"`,
      () => `printf '%s\\n' b a c | while read -r l; do ${name}=$l; done; echo "$${name}"`,
      () => `${name}=$(${this.print}); echo "$? $${name}"`,
      () => `{ ${this.print}; } & wait $!; echo "waited $?"`,
      () => `( sleep 0.00${this.below(5)}; exit ${this.below(5)} ) & wait $!; echo $?; wait`,
      () => `false | true | exit ${this.below(4)}`,
      () => `diff <(${this.print}) <(echo x) | wc -l`,
      () => `eval '${this.one("echo ev; va=e", "false", "vb=(", "return 3")}'; echo "eval $?"`,
      () => `select_() { select s in a b; do break; done; }; select_ <<< 2`,
      () => `${this.test}`,
      () => `# only a comment`,
      () => `${this.print} # and a comment`,
      () => `bash -c 'echo nested $va; exit ${this.below(6)}'`,
    )();
  }

  get broken(): string {
    return this.one<string>(
      `echo "open`,
      `if true`,
      `echo )`,
      `for in`,
      `cat <<EOF\nno end`,
      `va=( 1`,
      `echo \${va`,
      `&& x`,
      `echo \${va:}`,
      `echo end\\`,
    );
  }

  /** What may end the shell. */
  get ending(): string {
    return this.one<string>(
      `exit ${this.below(200)}`,
      `set -e; ${this.plain}; false; echo not`,
      `set -u; ${this.plain}; echo $unset_name; echo not`,
      `echo \${unset_name:?gone}`,
      `fa() { exit 9; }; fa; echo not`,
      `set -e`,
      `kill -TERM $$; echo not`,
      `exit`,
    );
  }

  get line(): string {
    const roll = this.below(100);
    if (roll < 4) return this.broken;
    if (roll < 6) return this.ending;
    const parts = Array.from(
      { length: 1 + this.below(3) },
      () => this.below(3) === 0 ? this.compound : this.plain,
    );
    return parts.join(this.one("; ", "\n", "\n")).replaceAll(/EOF; /g, "EOF\n");
  }
}

/** Scripts of one session: each is a line, or some, that the shell is given at once. */
export function scripts(random: Random, length: number): string[] {
  const lines = new Lines(random);
  return Array.from({ length }, () => lines.line);
}
