import * as v from "valibot";
import { messageOf } from "../../platform/failure.ts";
import { readTrustedFile, writeTrustedFile } from "../../platform/file/trusted-file.ts";
import type { RuleStore } from "../asker.ts";
import { readRules } from "./rule.ts";

const STORED = v.strictObject({ version: v.literal(1), allow: v.array(v.string()) });

/**
 * Open the file that keeps the rules of the answer `always`: JSON, for this user alone.
 *
 * @throws {Error} When it cannot be trusted or read: others may write it, it is no such file, or a
 * rule in it cannot be read.
 */
export function fileRuleStore(path: string): RuleStore {
  const load = (): readonly string[] => {
    const text = readTrustedFile(path);
    if (text === undefined) return [];
    try {
      const { allow } = v.parse(STORED, JSON.parse(text));
      allow.forEach((rule) => readRules(rule));
      return allow;
    } catch (cause) {
      throw new Error(
        `Cannot use the rules of "${path}": it is no rules file: ${messageOf(cause)}`,
        {
          cause,
        },
      );
    }
  };
  return {
    rules: load(),
    // Another process may have added rules since.
    add: (rule) => {
      const allow = [...new Set([...load(), rule])];
      writeTrustedFile(path, `${JSON.stringify({ version: 1, allow }, null, 2)}\n`);
      return Promise.resolve();
    },
  };
}
