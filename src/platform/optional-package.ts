import { codeOf, messageOf } from "./failure.ts";
/** A package that is loaded only when it is asked for. */
export type LoadPackage = () => Promise<unknown>;

/** CommonJS exports arrive as `default`, and those that a runtime recognises by name too. */
export function exportsOf(loaded: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(loaded)) return {};
  return isRecord(loaded["default"]) ? { ...loaded, ...loaded["default"] } : loaded;
}

/** Why an optional package could not be loaded, and what adds it; absent and broken are two things. */
export function whyNotLoaded(name: string, cause: unknown): string {
  const [first = ""] = messageOf(cause).split("\n");
  const absent = codeOf(cause) === "ERR_MODULE_NOT_FOUND" ||
    new RegExp(`(cannot find|could not find|not found).*${name}(?!/)`, "i").test(first);
  return absent ? notInstalled(name) : `${name} cannot be loaded: ${first}; ${adding(name)}`;
}

/** That an optional package is absent, and what adds it. */
export function notInstalled(name: string): string {
  return `the optional package ${name} is not installed; ${adding(name)}`;
}

const adding = (name: string) => `"npm install ${name}" adds it`;

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
