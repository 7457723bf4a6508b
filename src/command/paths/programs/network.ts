import { type PathTable, table } from "../path-table.ts";

/** Programs that take files from elsewhere or there. */
export const NETWORK: readonly (readonly [string, PathTable])[] = [
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
];
