// Puts each shell file and page of src into a module beside it, so that it is there without a look at
// the disk from source, on both runtimes, and from a bundle. Of shell files comments go, and lines are
// joined to one.
//
//     node .ci/embed-files.mjs [--check]
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { spawnSync } from "node:child_process";

const src = fileURLToPath(new URL("../src", import.meta.url));
/** After these a command follows on the same line, and after all else a semicolon. */
const OPENS = /(^|[\s;])(do|then|else|\{|&&|\|\||;;)$/;

const checks = process.argv.includes("--check");
const files = readdirSync(src, { recursive: true })
  .map((name) => join(src, String(name)))
  .filter((path) => /\.(bash|zsh|sh|fish|html)$/.test(path));

for (const path of files) {
  const module = path.replace(/\.\w+$/, ".ts");
  const text = moduleOf(path);
  if (!checks) writeFileSync(module, text);
  else if (readFileSync(module, "utf8") !== text) {
    fail(`${module} is not ${basename(path)}: run "node .ci/embed-files.mjs"`);
  }
}
if (checks) shellcheck(files.filter((path) => /\.(bash|sh)$/.test(path)));

function moduleOf(path) {
  const name = basename(path);
  const text = readFileSync(path, "utf8");
  const isPage = name.endsWith(".html");
  const constant = name.replace(/\.\w+$/, "").replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  return `// deno-fmt-ignore-file
// Made from ${name} by .ci/embed-files.mjs.

/** The text of \`${name}\`${isPage ? "" : ", without comments and on one line"}. */
export const ${constant}: string =
  ${JSON.stringify(isPage ? text : joined(text))};
`;
}

function joined(text) {
  const lines = text.split("\n").map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  return lines.reduce((all, line) => {
    if (all.endsWith("\\")) return all.slice(0, -1) + line;
    return `${all}${OPENS.test(all) ? " " : "; "}${line}`;
  });
}

/** Not everywhere installed; what it finds fails. */
function shellcheck(paths) {
  const { status, stdout, error } = spawnSync("shellcheck", paths, { encoding: "utf8" });
  if (error === undefined && status !== 0) fail(stdout);
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
