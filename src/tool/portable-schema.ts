import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { clip } from "../text/clip.ts";

/** The part of a failure that every framework reads. */
interface Issue {
  readonly message: string;
  readonly path?: readonly PropertyKey[];
}

/** The `~standard` of a schema: Standard Schema and Standard JSON Schema in one, version 1. */
export interface StandardProps<Output> {
  readonly version: 1;
  readonly vendor: "shellflow";
  readonly validate: (value: unknown) => { readonly value: Output } | {
    readonly issues: readonly Issue[];
  };
  readonly jsonSchema: {
    readonly input: (options?: { readonly target?: string }) => Record<string, unknown>;
    readonly output: (options?: { readonly target?: string }) => Record<string, unknown>;
  };
  readonly types?: { readonly input: Output; readonly output: Output } | undefined;
}

/**
 * A plain JSON Schema object that also is a Standard Schema.
 *
 * Frameworks that want JSON Schema see nothing else, as `~standard` is not enumerable; those that
 * want a Standard Schema validate by it.
 */
export interface PortableSchema<Output = unknown> {
  readonly [keyword: string]: unknown;
  readonly type: "object";
  readonly "~standard": StandardProps<Output>;
}

/** How a {@linkcode portableSchema} validates. */
export interface PortableSchemaOptions {
  /**
   * Accept every value: for frameworks that hide from the model why a value was refused. The tool
   * parses again and answers with the reason.
   */
  readonly lenient?: boolean;
}

type Target = "draft-07" | "draft-2020-12" | "openapi-3.0";

/** Make a schema that every agent framework takes. A failure carries `issues` and no `value`. */
export function portableSchema<Output>(
  schema: v.GenericSchema<unknown, Output>,
  { lenient = false }: PortableSchemaOptions = {},
): PortableSchema<Output> {
  const json = (target?: string) => {
    const known: Target = target === "draft-07" || target === "openapi-3.0"
      ? target
      : "draft-2020-12";
    const options = { typeMode: "input", errorMode: "ignore", target: known } as const;
    return { ...toJsonSchema(schema, options) } as Record<string, unknown>;
  };
  const standard: StandardProps<Output> = {
    version: 1,
    vendor: "shellflow",
    validate: (value) => {
      const result = v.safeParse(schema, value);
      if (result.success) return { value: result.output };
      if (lenient) return { value: value as Output };
      return { issues: result.issues.map(issueOf) };
    },
    jsonSchema: {
      input: (options) => json(options?.target),
      output: (options) => json(options?.target),
    },
  };
  const { $schema: _, ...plain } = json();
  const portable = { ...plain, type: "object" as const };
  Object.defineProperty(portable, "~standard", { enumerable: false, value: standard });
  return portable as PortableSchema<Output>;
}

function issueOf(issue: v.BaseIssue<unknown>): Issue {
  const path = issue.path?.map(({ key }) => key).filter((key) => typeof key !== "object");
  const field = v.getDotPath(issue);
  const message = field === null ? sayIssue(issue) : `${field}: ${sayIssue(issue)}`;
  return { message, ...(path !== undefined && { path: path as PropertyKey[] }) };
}

/** What is wrong with an input, with the field, in one line. */
export function inputProblems(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues.map((issue) => clip(issueOf(issue).message, 300)).join("; ");
}

function sayIssue(issue: v.BaseIssue<unknown>): string {
  if (issue.type === "strict_object" && issue.expected === "never") {
    return "there is no such field";
  }
  if (issue.received === "undefined") return "it is missing";
  // The words of valibot, unless the schema has its own.
  return issue.message.replace(/^Invalid [^:]*: Expected (.*) but received /s, "expected $1, not ");
}
