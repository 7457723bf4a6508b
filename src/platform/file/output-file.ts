/** Files that only keep output, as regular expression: writing one needs no rule beside a command that a rule covers. */
export const OUTPUT_FILE =
  "^(?!.*(?:requirements|constraints|CMakeLists|conanfile|meson_options)).*\\.(?:log|txt|out|err|lcov|tap)$|(?:junit|report|results?|coverage)[\\w-]*\\.xml$|^/tmp/|^/dev/(?:null|stdout|stderr|tty)$";
