import { type PathTable, table } from "../path-table.ts";

const COPY =
  "a,archive attributes-only b backup? copy-contents d f,force i,interactive H l,link L,dereference n,no-clobber " +
  "P,no-dereference p preserve? parents no-preserve: R,recursive r reflink? remove-destination sparse: " +
  "strip-trailing-slashes s,symbolic-link S,suffix: t,target-directory: T,no-target-directory u,update? " +
  "v,verbose x,one-file-system Z context? debug keep-directory-symlink";
const MODE =
  "c,changes f,silent,quiet v,verbose no-preserve-root preserve-root reference: R,recursive " +
  "H L P h,no-dereference dereference from:";

/** Programs that work with files as wholes: what there is, where, and whose. */
export const FILES: readonly (readonly [string, PathTable])[] = [
  ...table(
    "rm",
    "f,force i I interactive? one-file-system no-preserve-root preserve-root? r,R,recursive d,dir v,verbose",
    { operands: "write" },
  ),
  ...table("rmdir", "ignore-fail-on-non-empty p,parents v,verbose", { operands: "write" }),
  ...table("unlink", "", { operands: "write" }),
  ...table(
    "shred",
    "f,force n,iterations: random-source: s,size: u remove? v,verbose x,exact z,zero",
    {
      operands: "write",
      reads: ["random-source"],
    },
  ),
  ...table("mkdir", "m,mode: p,parents v,verbose Z context?", { operands: "write" }),
  ...table("mkfifo mknod", "m,mode: Z context?", { operands: "write" }),
  ...table("touch", "a c,no-create d,date: f h,no-dereference m r,reference: t: time:", {
    operands: "write",
    reads: ["r"],
  }),
  ...table("truncate", "c,no-create o,io-blocks r,reference: s,size:", {
    operands: "write",
    reads: ["r"],
  }),
  ...table("chmod chown chgrp", MODE, {
    operands: "write",
    skip: 1,
    unless: ["reference"],
    reads: ["reference"],
  }),
  ...table("cp", COPY, { operands: "copy", target: ["t"] }),
  ...table("mv", COPY + " exchange no-copy", { operands: "move", target: ["t"] }),
  ...table(
    "ln",
    "b backup? d,F,directory f,force i,interactive L,logical n,no-dereference P,physical r,relative s,symbolic " +
      "S,suffix: t,target-directory: T,no-target-directory v,verbose",
    { operands: "copy", target: ["t"] },
  ),
  ...table(
    "install",
    "b backup? c C,compare d,directory D g,group: m,mode: o,owner: p,preserve-timestamps s,strip " +
      "strip-program: S,suffix: t,target-directory: T,no-target-directory v,verbose Z context? debug",
    { operands: "copy", target: ["t"], writing: ["d"] },
  ),
  ...table("dd", "", { operands: "dd" }),
  ...table("mktemp", "d,directory u,dry-run q,quiet p,tmpdir? suffix: t", { operands: "write" }),
  ...table(
    "ls dir vdir",
    "w,width: T,tabsize: I,ignore: block-size: hide: color? format: sort: time: time-style: indicator-style: quoting-style: a A l h t r R d 1 i s S F p n o g c u x m q b B C D f G H k L N Q U v X Z",
    { operands: "read" },
  ),
  ...table(
    "stat readlink realpath",
    "c,format: printf: f L t relative-to: relative-base: e m n q s z",
    { operands: "read" },
  ),
  ...table(
    "file",
    "m,magic-file: f,files-from: F,separator: e,exclude: P,parameter: b i k L h z Z C s r N 0 mime mime-type mime-encoding brief",
    {
      operands: "read",
      reads: ["m", "f"],
    },
  ),
  ...table(
    "du",
    "files0-from: X,exclude-from: exclude: d,max-depth: B,block-size: t,threshold: time? time-style: a c h k l m s S x 0 b D H L P",
    {
      operands: "read",
      reads: ["files0-from", "X"],
    },
  ),
  ...table(
    "tree",
    "o: L: P: I: fromfile filelimit: charset: H: T: a d f l x i s h D p u g C n A S R J X",
    {
      operands: "read",
      writes: ["o"],
    },
  ),
  ...table("find", "", { operands: "find" }),
];
