/** Why a wait is over. A wait ends, never the process. */
export type WaitEnd =
  | { readonly type: "ended" }
  | { readonly type: "started" }
  /** It went on to the background by another way than this wait. */
  | { readonly type: "promoted" }
  | { readonly type: "queued" }
  | { readonly type: "input" }
  | { readonly type: "output" }
  | { readonly type: "line"; readonly text: string }
  | { readonly type: "time"; readonly seconds: number }
  | { readonly type: "steered" }
  | { readonly type: "aborted" };
