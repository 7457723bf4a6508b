/** Why a log cannot be read or written. */
export type LogErrorCode = "missing" | "notALog" | "otherSchema" | "damaged" | "unwritable";

/** A log cannot be read or written; what had been written before stands. */
export class LogError extends Error {
  override readonly name = "LogError";
  readonly code: LogErrorCode;

  constructor(code: LogErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** `Cannot read log "<path>": <state>`. */
export function cannotRead(path: string, code: LogErrorCode, state: string): LogError {
  return new LogError(code, `Cannot read log "${path}": ${state}`);
}

/** `Cannot write log "<path>": <state>`, of the cause. */
export function cannotWrite(path: string, cause: unknown): LogError {
  const state = cause instanceof Error ? cause.message : String(cause);
  return new LogError("unwritable", `Cannot write log "${path}": ${state}`, { cause });
}
