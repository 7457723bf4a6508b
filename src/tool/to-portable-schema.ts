import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { clip } from "../text/clip.ts";
import type { PortableSchema, SchemaIssue, StandardProps } from "./portable-schema.ts";

type Target = "draft-07" | "draft-2020-12" | "openapi-3.0";

/**
 * Make a schema that every agent framework takes. A failure carries `issues` and no `value`.
 *
 * @param lenient Accept every value: for frameworks that hide from the model why a value was refused.
 * The tool parses again and answers with the reason.
 */
export function toPortableSchema<Output>(
  schema: v.GenericSchema<unknown, Output>,
  lenient: boolean,
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

function issueOf(issue: v.BaseIssue<unknown>): SchemaIssue {
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
