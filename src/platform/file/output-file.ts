/** Files that only keep output, as regular expression: writing one needs no rule beside a command that a rule covers. */
export const OUTPUT_FILE =
  "\\.(?:log|(?<!(?:CMakeLists|requirements[\\w-]*|constraints)\\.)txt|out|err|diff|xml|lcov|tap)$|^/(?:tmp|dev)/";
