// Deno as npm installed it, with its cache inside the checkout's own, ignored folder.
import { join } from "node:path";
import process from "node:process";

/** Where the program is. */
export function denoFile(root) {
  return join(root, "node_modules/.bin/deno");
}

/** What it gets beside the environment of the caller. */
export function denoEnv(root) {
  return {
    DENO_DIR: process.env.DENO_DIR ?? join(root, "node_modules/.cache/deno"),
    DENO_NO_UPDATE_CHECK: "1",
    DENO_NO_PROMPT: "1",
  };
}
