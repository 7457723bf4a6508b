/** Files for what a command prints, as regular expression: a rule for the command covers them, too. */
export const NOTE_FILE =
  "\\.(?:log|(?<!(?:CMakeLists|requirements[\\w-]*|constraints)\\.)txt|out|err|diff|xml|lcov|tap)$|^/(?:tmp|dev)/";
