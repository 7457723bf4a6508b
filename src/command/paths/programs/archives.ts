import { type PathTable, table } from "../path-table.ts";

/** Programs that pack and unpack files. */
export const ARCHIVES: readonly (readonly [string, PathTable])[] = [
  ...table(
    "tar",
    "C,directory: f,file: T,files-from: X,exclude-from: g,listed-incremental: I,use-compress-program: exclude: " +
      "strip-components: transform,xform: to-command: checkpoint-action: checkpoint? F,info-script,new-volume-script: " +
      "rsh-command: owner: group: mode: mtime: b: H,format: K: L: N: V: one-top-level? " +
      "c,create x,extract,get t,list r,append u,update A d,delete,diff z,gzip j,bzip2 J,xz v,verbose p k m h O,to-stdout w P,absolute-names a zstd lzma keep-old-files overwrite",
    {
      operands: "read",
      writes: ["C", "f", "g", "one-top-level"],
      reads: ["T", "X"],
    },
  ),
  ...table("unzip", "d: x: o n q j l p t v u a f Z C L", { operands: "none", writes: ["d"] }),
  ...table("zip", "r q 9 j u m x: i: b: d g o T @ 0 1 y", { operands: "move" }),
  ...table(
    "gzip gunzip bzip2 bunzip2 xz unxz zstd",
    "d k f c q v t l r S: 1 9 n o: keep force stdout decompress T:",
    {
      operands: "write",
      writes: ["o"],
    },
  ),
  ...table("jar", "c x t u f v m e 0 M i C:", { operands: "write", writes: ["C"] }),
];
