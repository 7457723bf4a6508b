import { type PathTable, table } from "../path-table.ts";
import { ARCHIVES } from "./archives.ts";
import { FILES } from "./files.ts";
import { NETWORK } from "./network.ts";
import { TEXT } from "./text.ts";

/** Programs whose paths are known, by name. */
export const PATH_TABLES: ReadonlyMap<string, PathTable> = new Map([
  ...FILES,
  ...TEXT,
  ...ARCHIVES,
  ...NETWORK,
  ...table("source .", "", { operands: "read" }),
  ...table(
    "git",
    "C: c: git-dir: work-tree: exec-path? namespace: super-prefix: config-env: p,paginate P,no-pager no-replace-objects bare literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs no-optional-locks html-path man-path info-path v,version h,help",
    {
      operands: "none",
      writes: ["C", "git-dir", "work-tree"],
    },
  ),
  ...table("openssl", "", { operands: "none" }),
  ...table("date", "d,date: f,file: r,reference: s,set: u R I? rfc-3339: iso-8601? debug", {
    operands: "none",
    reads: ["f", "r"],
  }),
  ...table("ffmpeg convert magick", "", { operands: "last" }),
  ...table("pdftotext", "f: l: r: x: y: W: H: layout raw enc: eol: q", { operands: "filter" }),
]);
