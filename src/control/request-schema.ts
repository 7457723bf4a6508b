import * as v from "valibot";
import type { ControlRequest } from "./request.ts";

const callId = v.union([v.string(), v.number()]);
const id = v.exactOptional(callId);

/** The schema of a request. */
export const requestSchema: v.GenericSchema<unknown, ControlRequest> = v.union([
  v.strictObject({
    id: callId,
    tool: v.string(),
    input: v.optional(v.unknown()),
    owner: v.exactOptional(v.string()),
    updates: v.exactOptional(v.boolean()),
  }),
  v.strictObject({ id, cancel: callId }),
  v.strictObject({ id, promote: v.string() }),
  v.strictObject({ id, ack: v.union([v.string(), v.array(v.string())]) }),
  v.strictObject({
    id,
    answer: v.string(),
    with: v.picklist(["once", "session", "always", "deny"]),
  }),
  v.strictObject({ id: callId, get: v.picklist(["tools", "notices", "background"]) }),
]);
