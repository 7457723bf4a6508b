import { type PathTable, table } from "./path-table.ts";

const COPY =
  "a,archive attributes-only b backup? copy-contents d f,force i,interactive H l,link L,dereference n,no-clobber " +
  "P,no-dereference p preserve? parents no-preserve: R,recursive r reflink? remove-destination sparse: " +
  "strip-trailing-slashes s,symbolic-link S,suffix: t,target-directory: T,no-target-directory u,update? " +
  "v,verbose x,one-file-system Z context? debug keep-directory-symlink";
const MODE =
  "c,changes f,silent,quiet v,verbose no-preserve-root preserve-root reference: R,recursive " +
  "H L P h,no-dereference dereference from:";

/** Programs whose paths are known, by name. */
export const PATH_TABLES: ReadonlyMap<string, PathTable> = new Map([
  ...table(
    "rm",
    "f,force i I interactive? one-file-system no-preserve-root preserve-root? r,R,recursive d,dir v,verbose",
    {
      operands: "write",
    },
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
  ...table("tee", "a,append i,ignore-interrupts p output-error?", { operands: "write" }),
  ...table("chmod", MODE, {
    operands: "write",
    skip: 1,
    unless: ["reference"],
    reads: ["reference"],
  }),
  ...table("chown chgrp", MODE, {
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
  ...table(
    "sed",
    "n,quiet,silent debug e,expression: f,file: follow-symlinks E,r,regexp-extended i,in-place? l,line-length: " +
      "posix s,separate sandbox u,unbuffered z,null-data",
    { operands: "read", skip: 1, unless: ["e", "f"], reads: ["f"], writing: ["i"], backup: "i" },
  ),
  ...table(
    "cat tac nl rev",
    "A,show-all b,number-nonblank e E,show-ends n,number s,squeeze-blank t T,show-tabs u v,show-nonprinting",
    {
      operands: "read",
    },
  ),
  ...table(
    "head tail",
    "c,bytes: n,lines: q,quiet,silent v,verbose z,zero-terminated f F follow? pid: retry s,sleep-interval: max-unchanged-stats:",
    {
      operands: "read",
    },
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
    {
      operands: "read",
    },
  ),
  ...table("paste", "d,delimiters: s,serial z,zero-terminated", { operands: "read" }),
  ...table(
    "fold expand unexpand fmt pr column comm join tsort",
    "t: i: 1: 2: j: o: e: a: v: w,width: s c:",
    { operands: "read" },
  ),
  ...table(
    "ls dir vdir",
    "w,width: T,tabsize: I,ignore: block-size: hide: color? format: sort: time: time-style: indicator-style: quoting-style: a A l h t r R d 1 i s S F p n o g c u x m q b B C D f G H k L N Q U v X Z",
    {
      operands: "read",
    },
  ),
  ...table(
    "stat readlink realpath",
    "c,format: printf: f L t relative-to: relative-base: e m n q s z",
    {
      operands: "read",
    },
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
    "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum",
    "b,binary c,check l,length: a,algorithm: tag t,text z,zero ignore-missing quiet status strict w,warn",
    {
      operands: "read",
    },
  ),
  ...table("base64 base32", "d,decode,D i w,wrap: o,output: ignore-garbage", {
    operands: "read",
    writes: ["o"],
  }),
  ...table("xxd", "a b c,cols: C d e E g: h i l: n: o: p,ps r R: s: u v", { operands: "filter" }),
  ...table("od hexdump hd strings", "A: j: N: S: t: w? v n: s: e: C c d o x b a f", {
    operands: "read",
  }),
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
  ...table("source .", "", { operands: "read" }),
  ...table("find", "", { operands: "find" }),
  ...table(
    "split",
    "a: b,bytes: C: l,lines: n,number: d x e filter: additional-suffix: verbose t: u",
    { operands: "filter" },
  ),
  ...table("csplit", "b: f,prefix: k n: s q z", { operands: "read", writes: ["f"] }),
  ...table(
    "curl",
    "o,output: O,remote-name output-dir: D,dump-header: c,cookie-jar: trace: trace-ascii: stderr: K,config: T,upload-file: " +
      "hsts: etag-save: libcurl: cacert: cert: key: netrc-file: " +
      "H,header: d,data: data-raw: data-binary: data-urlencode: X,request: A,user-agent: b,cookie: e,referer: F,form: u,user: " +
      "m,max-time: connect-timeout: retry: retry-delay: x,proxy: w,write-out: r,range: url: max-redirs: limit-rate: resolve: " +
      "C: E: Q: t: U: y: Y: z: P: s S L f k i I v g G J j l n N p q a B 0 1 2 3 4 6 R Z silent show-error location fail " +
      "compressed insecure include head verbose globoff get",
    {
      operands: "none",
      writes: [
        "o",
        "output-dir",
        "D",
        "c",
        "trace",
        "trace-ascii",
        "stderr",
        "hsts",
        "etag-save",
        "libcurl",
      ],
      reads: ["K", "T", "netrc-file"],
    },
  ),
  ...table(
    "wget",
    "O,output-document: P,directory-prefix: o,output-file: a,append-output: i,input-file: config: post-file: body-file: " +
      "save-cookies: load-cookies: e,execute: t,tries: T,timeout: U,user-agent: header: A: R: D: l,level: w,wait: " +
      "q c b r p k m N S x nc nd nH np nv quiet no-verbose continue mirror recursive",
    {
      operands: "none",
      writes: ["O", "P", "o", "a", "save-cookies"],
      reads: ["i", "config", "post-file", "body-file", "load-cookies"],
    },
  ),
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
  ...table(
    "rsync",
    "e,rsh: f,filter: exclude: include: exclude-from: include-from: files-from: T,temp-dir: " +
      "log-file: partial-dir: backup-dir: link-dest: compare-dest: copy-dest: rsync-path: password-file: " +
      "bwlimit: timeout: port: chmod: suffix: a,archive v r z n,dry-run delete P h u i c l p t g o D H A X x R b progress stats dry-run delete-after q O W S I k K L",
    {
      operands: "copy",
      writes: ["T", "log-file", "partial-dir", "backup-dir"],
      reads: ["exclude-from", "include-from", "files-from", "password-file"],
    },
  ),
  ...table("scp", "F: i: c: l: o: P: S: J: D: X: r p q v C B 3 4 6 O R s T A", {
    operands: "copy",
    reads: ["i", "F"],
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
  ...table("mktemp", "d,directory u,dry-run q,quiet p,tmpdir? suffix: t", { operands: "write" }),
  ...table("jar", "c x t u f v m e 0 M i C:", { operands: "write", writes: ["C"] }),
  ...table("ffmpeg convert magick", "", { operands: "last" }),
  ...table("pdftotext", "f: l: r: x: y: W: H: layout raw enc: eol: q", { operands: "filter" }),
]);
