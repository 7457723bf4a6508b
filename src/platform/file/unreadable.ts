/** `Cannot read "<path>": <why>`, as the system says it. */
export function unreadable(path: string, cause: unknown): Error {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Error(`Cannot read "${path}": ${why}`, { cause });
}
