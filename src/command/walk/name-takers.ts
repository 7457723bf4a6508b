/** Builtins that take names of variables, with their options that take another word. */
export const NAME_TAKERS: ReadonlyMap<string, string> = new Map([
  ["read", "dinNptu"],
  ["mapfile", "CcdnOsu"],
  ["readarray", "CcdnOsu"],
  ["declare", ""],
  ["typeset", ""],
  ["local", ""],
  ["export", ""],
  ["readonly", ""],
  ["unset", ""],
  ["getopts", ""],
  ["let", ""],
  ["printf", ""],
  ["wait", ""],
]);
