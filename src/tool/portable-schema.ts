/** A part of a failure, as every framework reads it. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly PropertyKey[];
}

/** The `~standard` of a schema: Standard Schema and Standard JSON Schema in one, version 1. */
export interface StandardProps<Output> {
  readonly version: 1;
  readonly vendor: "shellflow";
  readonly validate: (value: unknown) => { readonly value: Output } | {
    readonly issues: readonly SchemaIssue[];
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
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: string[];
  readonly "~standard": StandardProps<Output>;
}
