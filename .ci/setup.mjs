// Installs what package-lock.json asks for, when node_modules does not hold it yet.
//
// npm keeps a copy of the lock file inside node_modules and writes it as the last step of an
// installation. So comparing the two tells an absent, an outdated and an interrupted
// installation alike, without a stamp of our own.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

function packages(path) {
  try {
    return JSON.parse(readFileSync(root + path, "utf8")).packages;
  } catch {
    return undefined;
  }
}

function installed() {
  const wanted = packages("package-lock.json");
  const present = packages("node_modules/.package-lock.json");
  if (wanted === undefined || present === undefined) return false;
  return Object.entries(wanted).every(([path, { version, integrity, optional, devOptional }]) => {
    if (path === "") return true;
    const found = present[path];
    if (found === undefined) return optional === true || devOptional === true;
    return found.version === version && found.integrity === integrity;
  });
}

function install() {
  const args = ["ci", "--no-audit", "--no-fund"];
  const npm = process.env.npm_execpath ?? "";
  const [file, ...before] = /npm-cli\.c?js$/.test(npm) ? [process.execPath, npm] : ["npm"];
  // stdout belongs to the program that is started afterwards.
  const { status, error } = spawnSync(file, [...before, ...args], {
    cwd: root,
    stdio: ["ignore", process.stderr.fd, process.stderr.fd],
    shell: file === "npm" && process.platform === "win32",
  });
  if (error) console.error(`Cannot run "npm ci": ${error.message}`);
  return status ?? 1;
}

if (!installed()) process.exitCode = install();
