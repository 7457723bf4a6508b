import type { LineRule } from "../../text/filter/filter-lines.ts";
import type { OutputFilter } from "./output-filter.ts";

type Rules = readonly LineRule<RegExp>[];

/** Of Jest, of the others with check marks, and TAP. */
const SCRIPT_TESTS: Rules = [
  { what: "passed test files", lines: /^PASS \S/, heads: true },
  { what: "passed tests", lines: /^\s*[✓✔√] / },
  { what: "names of tests", lines: /^\s*(?:▶ |# Subtest: )/, heads: true },
  {
    what: "lines of passed tests",
    lines: /^\s*ok \d+ [^#]*$/,
    more: /^\s+(?:---|duration_ms: [\d.]+|type: '\w+'|\.\.\.|\d+\.\.\d+)$/,
  },
];

const OK_TESTS: Rules = [{ what: "passed tests", lines: / \.\.\. ok(?: \([\d.]+m?s\))?$/ }];

const PYTHON_TESTS: Rules = [
  {
    what: "passed tests",
    lines: /^[^\s:]+::.* PASSED(?: +\[ *\d+%\])?$|^\[gw\d+\] \[ *\d+%\] PASSED /,
  },
  { what: "files of passed tests", lines: /^\S+\.py [.]+(?: +\[ *\d+%\])?$/ },
];

const GO_TESTS: Rules = [
  { what: "names of tests", lines: /^=== (?:RUN|PAUSE|CONT|NAME) /, heads: true },
  { what: "passed tests", lines: /^\s*--- PASS: / },
  { what: "passed packages", lines: /^ok\s+\S+\s+(?:\(cached\)|[\d.]+s)$/, keep: 10 },
  { what: "packages without tests", lines: /^\?\s+\S+\s+\[no test files\]$/, keep: 3 },
  { what: "downloads", lines: /^go: (?:downloading|extracting|finding) / },
];

const SCRIPT_PACKAGES: Rules = [
  {
    what: "lines of progress",
    lines: /^Progress: resolved \d|^\++$|^npm (?:http|timing) |^➤ YN0013: /,
  },
  { what: "packages", lines: /^[├└]─ /, keep: 30 },
  { what: "files of the package", lines: /^npm notice +[\d.]+ ?[kM]?B /, keep: 20 },
];

const CRATES: LineRule<RegExp> = {
  what: "compiled crates",
  lines: /^ +(?:Compiling|Checking|Fresh|Documenting|Downloaded|Downloading|Unpacking) \S/,
};

const C_BUILDS: Rules = [
  {
    what: "compiler calls",
    lines:
      /^(?:\S*\/)?(?:[\w.+-]+-)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ar|ld|ranlib|libtool)(?:-[\d.]+)? |^(?:\/bin\/)?(?:ba)?sh \S*libtool /,
    heads: true,
  },
  {
    what: "build steps",
    lines:
      /^ {2}(?:HOST)?(?:CC|CXX|LD|CCLD|CXXLD|AR|AS|GEN|LINK|OBJCOPY|RUSTC|YACC|LEX|UPD|CHK|WRAP|STRIP|INSTALL)(?: \[M\])? +\S+$|^\[ *\d+%\] (?:Building|Linking|Built|Generating|Scanning|Consolidate) |^\[\d+\/\d+\] /,
    heads: true,
  },
  { what: "directories", lines: /^g?make\[\d+\]: (?:Entering|Leaving) directory /, heads: true },
  { what: "steps without work", lines: /^g?make\[\d+\]: (?:Nothing to be done |.* up to date\.$)/ },
  {
    what: "checks of the system",
    lines: /^-- (?:Looking for|Performing Test|Check for|Checking|Detecting) |^checking .*\.\.\. /,
  },
  { what: "passed tests", lines: /^ *\d+\/\d+ Test +#\d+: .* Passed +[\d.]+ sec$/ },
  { what: "names of tests", lines: /^ +Start +\d+: /, heads: true },
];

/** What is left out of the output of programs; the first record that applies to a command is taken. */
export const FILTERS: readonly OutputFilter<RegExp>[] = [
  {
    programs: "git",
    when: /^status\b/,
    rules: [
      {
        what: "changed files",
        // Not those with conflicts: `both modified:`, `UU`, `AA`, `DD`.
        lines:
          /^\t(?:modified|new file|deleted|renamed|copied|typechange): +\S|^(?:[ MTRC][ MTADRC]|A[ MTDRC]|D[ MTARC]) \S/,
        keep: 20,
      },
      { what: "untracked files", lines: /^\t[^\s:][^:]*$|^\?\? /, keep: 20 },
    ],
  },
  {
    programs: "git",
    when: /^(?:commit|merge|pull|rebase|cherry-pick|am|fetch|push|clone|submodule|remote)\b|--stat/,
    rules: [
      { what: "files", lines: /^ [^|]*[^|\s] +\| +(?:\d+(?: [+-]*)?|Bin .*)$/, keep: 30 },
      { what: "files", lines: /^ (?:create|delete) mode \d|^ (?:rename|copy) .*%\)$/, keep: 10 },
      { what: "references", lines: /^ [ *+t=-] (?:\[[\w ]+\]|\w+\.+\w+) .* -> /, keep: 20 },
      { what: "lines of progress", lines: /^(?:remote: )?[A-Z][a-z]+ \w+: +100% .*done\.?\s*$/ },
    ],
  },
  { programs: "npm npx pnpm yarn bun bunx", rules: [...SCRIPT_PACKAGES, ...SCRIPT_TESTS] },
  { programs: "jest vitest mocha ava tap playwright", rules: SCRIPT_TESTS },
  { programs: "node deno", when: /(?:^| )(?:--)?test\b/, rules: [...SCRIPT_TESTS, ...OK_TESTS] },
  {
    programs: "prettier",
    rules: [{ what: "files", lines: /^\S.* \d+ms(?: \((?:unchanged|cached)\))?$/, keep: 10 }],
  },
  { programs: "cargo", when: /^r(?:un)?\b/, rules: [CRATES] },
  {
    programs: "cargo",
    rules: [CRATES, ...OK_TESTS, { what: "passed tests", lines: /^ +PASS \[/ }],
  },
  { programs: "pytest py.test tox nox", rules: PYTHON_TESTS },
  { programs: "python python3", when: /^(?:-m unittest|\S*manage\.py test)\b/, rules: OK_TESTS },
  { programs: "go gotestsum", when: /^(?:test|build|install|mod|get|vet|-)/, rules: GO_TESTS },
  {
    programs: "make gmake ninja cmake ctest configure",
    rules: [...C_BUILDS, CRATES, ...SCRIPT_TESTS, ...PYTHON_TESTS, ...GO_TESTS, ...OK_TESTS],
  },
  {
    programs: "pip pip3 uv pipx poetry",
    rules: [
      { what: "requirements that were met", lines: /^Requirement already satisfied: /, keep: 5 },
      {
        what: "steps of packages",
        lines:
          /^ *(?:Collecting|Downloading|Using cached|Processing|Obtaining|Preparing metadata|Installing build dependencies|Getting requirements|Building wheel|Created wheel|Stored in directory|Attempting uninstall|Found existing installation|Uninstalling|Successfully uninstalled)\b|^ +[━╸╺]/,
      },
    ],
  },
  {
    programs: "docker podman docker-compose buildah",
    when: /^(?:(?:compose|buildx|image) .*)?(?:build|pull|push|up|run|create|bake)\b/,
    rules: [
      {
        what: "transfers of layers",
        lines:
          /^(?:#\d+| => =>) (?:sha256:|extracting |transferring |resolve )|^[0-9a-f]{12}: (?:Pulling fs|Waiting|Verifying|Download|Pull complete|Already exists|Extracting|Preparing|Pushed|Layer already|Mounted)/,
      },
      { what: "ends of steps", lines: /^#\d+ DONE |^ ---> |^Removing intermediate container / },
      {
        what: "steps of packages",
        lines:
          /^#\d+ [\d.]+ (?:(?:Get|Hit|Ign):\d|(?:Selecting previously|Preparing to|Unpacking|Setting up|Collecting|Downloading) )/,
      },
    ],
  },
  {
    programs: "apt apt-get aptitude dpkg",
    rules: [
      { what: "downloads", lines: /^(?:Get|Hit|Ign):\d+ / },
      {
        what: "steps of packages",
        lines:
          /^\(Reading database |^(?:Selecting previously unselected|Preparing to unpack|Unpacking|Setting up|Removing|Purging configuration files for|Processing triggers for) /,
      },
    ],
  },
  { programs: "wget", rules: [{ what: "lines of progress", lines: /^ *\d+K [ .,]+\d*%?/ }] },
  {
    programs: "unzip",
    rules: [{ what: "files", lines: /^ +(?:inflating|extracting|creating): /, keep: 20 }],
  },
];
