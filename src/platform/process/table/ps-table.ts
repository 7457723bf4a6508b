import { spawnSync } from "node:child_process";
import process from "node:process";
import type { ProcTable } from "./proc-table.ts";
import type { ProcessInfo } from "../processes.ts";

/** Runs `ps` with arguments and answers what it prints. */
export type Ps = (args: readonly string[]) => string;

const TABLE = ["-Aww", "-o", "pid=,ppid=,pgid=,stat=,lstart=,command="];
/** `-E` adds the environment to the command, for processes of the same user. */
const ENVIRONMENTS = ["-AEww", "-o", "pid=,command="];

/**
 * The process table as `ps` prints it, for systems without /proc, such as macOS.
 *
 * A start is known to the second, so that it is a weaker identity than on Linux; sessions and open
 * files are unknown.
 *
 * @param ps Runs the program; recorded answers serve tests.
 */
export function psTable(ps: Ps = runPs): ProcTable {
  const rows = (args: readonly string[]) => parseTable(ps(args));
  return {
    info: (pid) => rows(["-p", String(pid), ...TABLE.slice(1)])[0]?.info,
    // The words cannot be told apart here.
    argv: () => [],
    commandLine: (pid) => rows(["-ww", "-p", String(pid), ...TABLE.slice(1)])[0]?.command ?? "[]",
    read: () => {
      let environments: ReadonlyMap<number, string> | undefined;
      return {
        all: rows(TABLE).map(({ info }) => info).filter(({ pid }) => pid !== process.pid),
        variable: (pid, name) => {
          environments ??= new Map(parseLines(ps(ENVIRONMENTS)));
          return variableIn(environments.get(pid) ?? "", name);
        },
        openFiles: () => [],
      };
    },
  };
}

const ROW = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S)\S*\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/;

function parseTable(text: string): { info: ProcessInfo; command: string }[] {
  return text.split("\n").flatMap((line) => {
    const [, pid, parent, group, state, started = "", command = ""] = ROW.exec(line) ?? [];
    if (pid === undefined || state === undefined) return [];
    const startTime = String(Date.parse(started) / 1000);
    const info = {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: 0,
      state,
      startTime,
    };
    return [{ info, command }];
  });
}

function parseLines(text: string): [number, string][] {
  return text.split("\n").flatMap((line): [number, string][] => {
    const [, pid, rest] = /^\s*(\d+)\s(.*)$/.exec(line) ?? [];
    return pid === undefined || rest === undefined ? [] : [[Number(pid), rest]];
  });
}

/** The last one counts: an argument may look like a variable, and the environment comes after the arguments. */
function variableIn(text: string, name: string): string | undefined {
  const at = text.lastIndexOf(` ${name}=`);
  if (at < 0) return undefined;
  const value = text.slice(at + name.length + 2);
  const next = value.search(/ [A-Za-z_][A-Za-z0-9_]*=/);
  return next < 0 ? value : value.slice(0, next);
}

function runPs(args: readonly string[]): string {
  return spawnSync("ps", args, { encoding: "utf8", env: { ...process.env, LC_ALL: "C" } }).stdout ??
    "";
}
