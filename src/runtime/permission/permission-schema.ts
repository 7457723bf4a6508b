import * as v from "valibot";
import type { Mode } from "../../permission/mode.ts";
import type { PolicyOptions, PolicyRules } from "../../permission/policy.ts";
import { problemOf } from "../../permission/rules/rule.ts";
import { nonEmpty } from "../call/fields.ts";
import type { PermissionOptions } from "./permission-options.ts";
import type { Permission } from "./permits.ts";

const texts = v.exactOptional(v.array(v.string()));
const text = v.exactOptional(v.string());

const rule = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    const message = dataset.typed ? problemOf(dataset.value) : undefined;
    if (message !== undefined) addIssue({ message });
  }),
);
const rules = v.exactOptional(v.array(rule));

export const ruleLists: v.GenericSchema<PolicyRules> = v.strictObject({
  allow: rules,
  ask: rules,
  deny: rules,
});

export const MODES: readonly Mode[] = ["default", "acceptEdits", "plan", "dontAsk", "bypass"];

export const mode: v.GenericSchema<Mode> = v.picklist(MODES);

/** A path that means the same to every process. */
export const absolute: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.regex(/^(?:\/|[A-Za-z]:)/, "it must be absolute"),
);

/** The fields of {@linkcode PermissionOptions}, for the schema of all options. */
export const permissionFields: Readonly<Record<keyof PermissionOptions, v.GenericSchema>> = {
  readFreely: v.exactOptional(v.boolean()),
  directories: texts,
  accept: texts,
  programs: v.exactOptional(v.array(v.looseObject({ names: v.string() }))),
  ruleStore: v.exactOptional(nonEmpty),
  intercept: v.exactOptional(v.strictObject({
    tools: v.array(v.string()),
    rules: v.exactOptional(v.array(v.strictObject({
      tool: v.string(),
      message: v.string(),
      program: text,
      words: text,
      redirects: text,
    }))),
  })),
  ignore: texts,
  fixUps: v.exactOptional(v.boolean()),
};

const { intercept, ignore, readFreely } = permissionFields;

const ofCommand = {
  rules: v.exactOptional(ruleLists),
  mode: v.exactOptional(mode),
  workspace: v.exactOptional(absolute),
  accept: texts,
  directories: v.exactOptional(v.array(absolute)),
};

/** The rules that come with one command, without an asker: they can be sent. */
export const sentPermission: v.GenericSchema<Omit<Permission, "ask">> = v.strictObject(ofCommand);

/** The same with what answers its questions. */
export const permission: v.GenericSchema = v.strictObject({
  ...ofCommand,
  ask: v.optional(v.union([v.function(), v.literal("none")])),
});

/** The fields of a policy, and of a check. */
export const policyFields: Readonly<
  Record<keyof Omit<PolicyOptions, "dangers">, v.GenericSchema>
> = {
  ...ofCommand,
  home: text,
  readFreely,
  intercept,
  ignore,
};
