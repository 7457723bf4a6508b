import { type PathTable, table } from "../path-table.ts";

/** Programs that work with what is in files. */
export const TEXT: readonly (readonly [string, PathTable])[] = [
  ...table(
    "sed",
    "n,quiet,silent debug e,expression: f,file: follow-symlinks E,r,regexp-extended i,in-place? l,line-length: " +
      "posix s,separate sandbox u,unbuffered z,null-data",
    { operands: "read", skip: 1, unless: ["e", "f"], reads: ["f"], writing: ["i"], backup: "i" },
  ),
  ...table(
    "cat tac nl rev",
    "A,show-all b,number-nonblank e E,show-ends n,number s,squeeze-blank t T,show-tabs u v,show-nonprinting",
    { operands: "read" },
  ),
  ...table(
    "head tail",
    "c,bytes: n,lines: q,quiet,silent v,verbose z,zero-terminated f F follow? pid: retry s,sleep-interval: max-unchanged-stats:",
    { operands: "read" },
  ),
  ...table("wc", "c,bytes m,chars l,lines L,max-line-length w,words files0-from: total:", {
    operands: "read",
    reads: ["files0-from"],
  }),
  ...table(
    "grep egrep fgrep zgrep",
    "E,extended-regexp F,fixed-strings G,basic-regexp P,perl-regexp e,regexp: f,file: i,y,ignore-case no-ignore-case " +
      "v,invert-match w,word-regexp x,line-regexp c,count color? colour? L,files-without-match l,files-with-matches " +
      "m,max-count: o,only-matching q,quiet,silent s,no-messages b,byte-offset H,with-filename h,no-filename label: " +
      "n,line-number T,initial-tab Z,null A,after-context: B,before-context: C,context: a,text binary-files: " +
      "D,devices: d,directories: exclude: exclude-from: exclude-dir: I include: r,recursive R,dereference-recursive " +
      "line-buffered U,binary z,null-data",
    { operands: "read", skip: 1, unless: ["e", "f"], reads: ["f", "exclude-from"] },
  ),
  ...table(
    "rg ag ack",
    "e,regexp: f,file: g,glob: iglob: t,type: T,type-not: A,after-context: B,before-context: C,context: m,max-count: " +
      "j,threads: M,max-columns: d,max-depth: E,encoding: r,replace: sort: sortr: color: colors: pre: pre-glob: " +
      "ignore-file: engine: max-filesize: path-separator: context-separator: type-add: hostname-bin: " +
      "i n l c o v w x s S F P U u N H L z a q p 0 hidden no-ignore files json vcs no-heading heading stats",
    { operands: "read", skip: 1, unless: ["e", "f", "files"], reads: ["f", "ignore-file"] },
  ),
  ...table(
    "sort",
    "b,ignore-leading-blanks d,dictionary-order f,ignore-case g,general-numeric-sort i,ignore-nonprinting M,month-sort " +
      "h,human-numeric-sort n,numeric-sort R,random-sort random-source: r,reverse sort: V,version-sort batch-size: " +
      "c C check? compress-program: debug files0-from: k,key: m,merge o,output: s,stable S,buffer-size: " +
      "t,field-separator: T,temporary-directory: parallel: u,unique z,zero-terminated",
    { operands: "read", writes: ["o", "T"], reads: ["files0-from", "random-source"] },
  ),
  ...table(
    "uniq",
    "c,count d,repeated D all-repeated? f,skip-fields: group? i,ignore-case s,skip-chars: u,unique z,zero-terminated w,check-chars:",
    { operands: "filter" },
  ),
  ...table(
    "cut",
    "b,bytes: c,characters: d,delimiter: f,fields: n complement s,only-delimited output-delimiter: z,zero-terminated",
    { operands: "read" },
  ),
  ...table("paste", "d,delimiters: s,serial z,zero-terminated", { operands: "read" }),
  ...table(
    "fold expand unexpand fmt pr column comm join tsort",
    "t: i: 1: 2: j: o: e: a: v: w,width: s c:",
    { operands: "read" },
  ),
  ...table(
    "split",
    "a: b,bytes: C: l,lines: n,number: d x e filter: additional-suffix: verbose t: u",
    { operands: "filter" },
  ),
  ...table("csplit", "b: f,prefix: k n: s q z", { operands: "read", writes: ["f"] }),
  ...table("tee", "a,append i,ignore-interrupts p output-error?", { operands: "write" }),
  ...table(
    "diff cmp diff3 colordiff",
    "u U,unified: c C,context: from-file: to-file: x,exclude: X,exclude-from: I,ignore-matching-lines: L,label: F,show-function-line: W,width: D,ifdef: q r N a b B i w y s n e p t l d E Z H S,starting-file: n: color?",
    {
      operands: "read",
      reads: ["from-file", "to-file", "X"],
    },
  ),
  ...table("sdiff", "o,output: I: w,width: diff-program: l s i W b B a E d t", {
    operands: "read",
    writes: ["o"],
  }),
  ...table(
    "patch",
    "i,input: o,output: d,directory: r,reject-file: p,strip: D: F,fuzz: B: V: Y: z: b R N E f s t u c e l n dry-run",
    {
      operands: "write",
      writes: ["o", "d", "r"],
      reads: ["i"],
    },
  ),
  ...table(
    "less more most bat batcat",
    "o: O: k: j: p: P: t: T: x: y: z: l,language: r,line-range: H: style: theme: m: pager: color: paging: A n p N R S F X e i",
    {
      operands: "read",
      writes: ["o", "O"],
    },
  ),
  ...table(
    "awk gawk mawk nawk",
    "F,field-separator: v,assign: f,file: e,source: i,include: l,load: E,exec: o? p? d?",
    {
      operands: "read",
      skip: 1,
      unless: ["f", "e", "E"],
      reads: ["f", "i", "E"],
      writes: ["o", "p", "d"],
    },
  ),
  ...table(
    "jq",
    "f,from-file L,library-path: r,raw-output j n,null-input s,slurp c e,exit-status S a C M R tab indent: seq stream",
    {
      operands: "read",
      skip: 1,
      reads: ["L"],
    },
  ),
  ...table("od hexdump hd strings", "A: j: N: S: t: w? v n: s: e: C c d o x b a f", {
    operands: "read",
  }),
  ...table("xxd", "a b c,cols: C d e E g: h i l: n: o: p,ps r R: s: u v", { operands: "filter" }),
  ...table("base64 base32", "d,decode,D i w,wrap: o,output: ignore-garbage", {
    operands: "read",
    writes: ["o"],
  }),
  ...table(
    "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum",
    "b,binary c,check l,length: a,algorithm: tag t,text z,zero ignore-missing quiet status strict w,warn",
    { operands: "read" },
  ),
];
