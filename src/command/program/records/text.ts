import { OUTPUT_FILE } from "../../../platform/file/output-file.ts";
import { ANY, NUMBER, SEVERAL, UNQUOTED } from "../../words/placeholders.ts";
import { OPTION_FILE } from "./developer-tools.ts";
import type { Program } from "../program-record.ts";

/** One file, and no pattern for several. */
export const ONE_FILE: string = `(?!-)[^ *?[{(${SEVERAL}]+`;
/** Options of `grep` with which it prints no name of a file. */
const OF_GREP = "-[aeEFGhiIPsvwxy]";

/** Programs that work with what is in files. */
// deno-fmt-ignore
export const TEXT: readonly Program[] = [
  { names: "sed", syntax: "sed",
    options: "n,quiet,silent debug e,expression= f,file: follow-symlinks E,r,regexp-extended i,in-place? l,line-length: posix s,separate sandbox u,unbuffered " +
    "z,null-data", operands: "read", skip: 1, unless: "e f", reads: "f", writing: "i", readOnly: "i f s", edits: "", dangers: [
    { name: "absolute-names", reason: "what \"sed\" keeps can be anywhere", options: "i", values: "[*/]" }] },
  { names: "awk,nawk,gawk,mawk", syntax: "awk", options: "F,field-separator= v,assign= f,file: e,source= i,include: l,load: E,exec: o? p? d? n s r t c b", operands: "read",
    skip: 1, unless: "f e E", reads: "f E", writing: "i", writes: "o p d", readOnly: "f i l E o p d", dangers: [
    { name: "prints-secrets", reason: "\"awk\" prints the environment", words: "\\bENVIRON\\b(?!\\s*\\[)" }] },
  { names: "nl", options: "b,body-numbering= d= f= h= i= l= n= s= v= w= p", operands: "read", readOnly: "", arity: 1 },
  { names: "cat tac rev", options: "A,show-all b,number-nonblank e E,show-ends n,number s,squeeze-blank t T,show-tabs u v,show-nonprinting", operands: "read",
    readOnly: "", arity: 1 },
  { names: "head tail",
    options: "c,bytes: n,lines: q,quiet,silent v,verbose z,zero-terminated f,follow? F pid: retry s,sleep-interval: max-unchanged-stats: 0 1 2 3 4 5 6 7 8 9",
    operands: "read", readOnly: "", arity: 1 },
  { names: "wc", options: "c,bytes m,chars l,lines L,max-line-length w,words files0-from: total:", operands: "read", lists: "files0-from", readOnly: "",
    arity: 1, prints: { "^(?:-[cmlLw]+|--(?:bytes|chars|lines|words))$": "number", "^-[cmlLw] .": "number any" } },
  { names: "grep egrep fgrep",
    options: "E,extended-regexp F,fixed-strings G,basic-regexp P,perl-regexp e,regexp= f,file: i,y,ignore-case no-ignore-case v,invert-match w,word-regexp " +
    "x,line-regexp c,count color? colour? L,files-without-match l,files-with-matches m,max-count: o,only-matching q,quiet,silent s,no-messages " +
    "b,byte-offset H,with-filename h,no-filename label= n,line-number T,initial-tab Z,null A,after-context: B,before-context: C,context: a,text " +
    "binary-files: D,devices: d,directories: exclude= exclude-from: exclude-dir= I include= r,recursive R,dereference-recursive line-buffered U,binary " +
    "z,null-data 1 2 3 4 5 6 7 8 9 0", operands: "read", skip: 1, unless: "e f", reads: "f exclude-from", readOnly: "", arity: 1, prints: {
      [`^(?:${OF_GREP}+ )*(?:${OF_GREP}*c[aceEFGhiIPsvwxy]*|--count) (?:${OF_GREP}+ )*(?![-${ANY}])[^ ]*(?: ${ONE_FILE})?$`]: "number",
      // What the kernel says of its memory: `MemTotal:  16384 kB`.
      "^(?:-[iEw]+ )*\\^?[\\w|()\\^:]+ /proc/meminfo$": "word number any" } },
  { names: "rg", texts: "pre hostname-bin pager",
    options: "e,regexp= f,file: g,glob= iglob= G,file-search-regex: t,type= T,type-not= A,after-context: B,before-context: C,context: m,max-count: j,threads: M,max-columns: " +
    "d,max-depth,maxdepth: E,encoding= r,replace= sort: sortr: color: colors: pre: pre-glob= ignore-file: engine: max-filesize: path-separator: " +
    "context-separator: type-add: hostname-bin: pager: i,ignore-case n,line-number N,no-line-number l,files-with-matches c,count count-matches " +
    "o,only-matching v,invert-match w,word-regexp x,line-regexp s,case-sensitive S,smart-case F,fixed-strings P,pcre2 u U,multiline multiline-dotall " +
    "H,with-filename I,no-filename L,follow z,search-zip a,text q,quiet p,pretty 0,null hidden no-ignore no-ignore-vcs files type-list json vimgrep " +
    "no-heading heading stats trim column files-without-match no-messages", operands: "read", skip: 1, unless: "e f files", reads: "f ignore-file",
    readOnly: "pre pre-glob hostname-bin z f ignore-file pager", arity: 1, dangers: [
    { name: "runs-program", reason: "the search runs another program", options: "pre hostname-bin z pager" }] },
  { names: "ag ack", options: "A,after: B,before: C,context: G,file-search-regex= g= m,max-count: p,path-to-ignore: ignore= ignore-dir: depth: pager: W,width: " +
    "a,all-types c,count f,follow F,fixed-strings Q,literal H,heading h i,ignore-case L,files-without-matches l,files-with-matches n,norecurse,no-recurse o,only-matching " +
    "r,R,recurse S,smart-case s,case-sensitive t,all-text u,unrestricted v,invert-match w,word-regexp 0 hidden color nocolor no-color numbers nonumbers no-numbers column " +
    "group nogroup stats silent", operands: "read", skip: 1, unless: "g", readOnly: "pager", arity: 1, dangers: [
    { name: "runs-program", reason: "the search runs another program", options: "pager" }] },
  { names: "sort", texts: "compress-program",
    options: "b,ignore-leading-blanks d,dictionary-order f,ignore-case g,general-numeric-sort i,ignore-nonprinting M,month-sort h,human-numeric-sort " +
    "n,numeric-sort R,random-sort random-source: r,reverse sort: V,version-sort batch-size: c C check? compress-program: debug files0-from: k,key= " +
    "m,merge o,output: s,stable S,buffer-size: t,field-separator= T,temporary-directory: parallel: u,unique z,zero-terminated", operands: "read", writes: "o T",
    reads: "random-source", lists: "files0-from", readOnly: "o T compress-program random-source", edits: "T compress-program random-source", arity: 1, dangers: [
    { name: "runs-program", reason: "\"sort\" runs another program", options: "compress-program" }] },
  { names: "uniq", options: "c,count d,repeated D all-repeated? f,skip-fields: group? i,ignore-case s,skip-chars: u,unique z,zero-terminated w,check-chars:",
    operands: "filter", readOnly: "", most: 1, edits: "", arity: 1 },
  { names: "cut", options: "b,bytes: c,characters: d,delimiter= f,fields: n complement s,only-delimited output-delimiter= z,zero-terminated", operands: "read",
    readOnly: "", arity: 1 },
  { names: "paste", options: "d,delimiters= s,serial z,zero-terminated", operands: "read", readOnly: "", arity: 1 },
  { names: "tr", options: "c,C,complement d,delete s,squeeze-repeats t,truncate-set1", operands: "none", readOnly: "", arity: 1,
    prints: { "^-(?:cd|dc) (?:0-9|\\[:digit:\\])(?:\\\\n)?$": "number" } },
  { names: "iconv", options: "f,from-code: t,to-code: o,output: l,list c s,silent verbose", operands: "read", writes: "o", readOnly: "o", edits: "" },
  { names: "bc", options: "l,mathlib q,quiet s,standard w,warn", operands: "read", readOnly: "" },
  { names: "fold", options: "b,bytes c,characters s,spaces w,width:", operands: "read", readOnly: "" },
  { names: "expand unexpand", options: "a,all first-only i,initial t,tabs:", operands: "read", readOnly: "" },
  { names: "fmt", options: "c,crown-margin g,goal: p,prefix: s,split-only t,tagged-paragraph u,uniform-spacing w,width:", operands: "read", readOnly: "" },
  { names: "pr", options: "a,across c d D: e? f F h,header: i? J l,length: m,merge n? N: o,indent: r s? S? t,omit-header T v w,width: W: columns: 1 2 3 4 5 6 7 8 9", operands: "read",
    readOnly: "" },
  { names: "column", options: "t,table c,output-width: o,output-separator= s,separator= N,table-columns= R,table-right= T,table-truncate= H,table-hide= E: W,table-wrap= " +
    "O,table-order= C,table-column= l,table-columns-limit: n,table-name: r: i: p: d e J,json L m x S:", operands: "read", readOnly: "" },
  { names: "comm tsort", options: "1 2 3 check-order nocheck-order output-delimiter= total z,zero-terminated", operands: "read", readOnly: "" },
  { names: "join", options: "a: e= i,ignore-case j: o: t= v: 1: 2: check-order nocheck-order header z,zero-terminated", operands: "read", readOnly: "" },
  { names: "look factor numfmt getconf tput locale", readsWith: "a b d f t T? v from to format suffix padding field header grouping round invalid delimiter exponents",
    prints: { "^(?:cols|lines|_NPROCESSORS_ONLN|PAGESIZE)$": "number" } },
  { names: "expr", readsWith: "" },
  { names: "seq nproc", readsWith: "w s? f? t? equal-width separator format all ignore", prints: { [`^(?:-w |--all$|-f ?%0?\\d*g )?(?:(?:-?\\d+(?:\\.\\d+)?|${NUMBER}+)(?: |$))*$`]: "number" } },
  { names: "shuf", options: "e,echo i,input-range: n,head-count: o,output: random-source: r,repeat z,zero-terminated", operands: "read", writes: "o", reads: "random-source",
    readOnly: "o random-source", edits: "", prints: { "^(?:.* )?-i ?\\d+-\\d+(?: |$)": "number" } },
  { names: "csplit", options: "f,prefix: b,suffix-format= n,digits= k,keep-files q,quiet,s z,elide-empty-files", writes: "f", unpacks: "" },
  { names: "split", texts: "filter", options: "a: b,bytes: C: l,lines: n,number: d x e filter: additional-suffix: verbose t= u", operands: "split", edits: "filter", dangers: [
    { name: "runs-program", reason: "\"split\" runs another program", options: "filter" }] },
  { names: "tee", options: "a,append i,ignore-interrupts p output-error?", operands: "write", readOnly: "", plain: "^/dev/(?:null|stdout|stderr|tty)$", edits: "", inert: true, inertWith: OUTPUT_FILE },
  { names: "diff cmp colordiff",
    options: "u U,unified: c C,context: from-file: to-file: x,exclude: X,exclude-from: I,ignore-matching-lines= L,label= F,show-function-line= W,width: D,ifdef: " +
    "q,brief r,recursive N,new-file a,text b,ignore-space-change B,ignore-blank-lines i,ignore-case w,ignore-all-space y,side-by-side " +
    "s,silent,report-identical-files n e p t l d,minimal E Z H S,starting-file: color? strip-trailing-cr suppress-common-lines", operands: "read",
    reads: "from-file to-file X", readOnly: "from-file to-file", arity: 1 },
  { names: "diff3 sdiff", options: "o,output: I= w,width: diff-program: l s i W b B a E d t m A e x X 3 T L:", operands: "read", writes: "o",
    readOnly: "o diff-program", dangers: [{ name: "runs-program", reason: "the comparison runs another program", options: "diff-program" }] },
  { names: "patch", unpacks: "", options: "i,input: o,output: d,directory: r,reject-file: p,strip: D: F,fuzz: B: V: Y: z: b R N E f s t u c e l n dry-run", operands: "change",
    writes: "o d r B Y", reads: "i" },
  { names: "less more most", options: "o: O: k,lesskey-file: lesskey-src: lesskey-content: j: p? P= t= T: x: y: z: H m A n N R S F X e i r +", operands: "read", writes: "o O", readOnly: "o O k lesskey-file lesskey-src lesskey-content", arity: 1, keys: "[!|]|(?:^|\\n)[^/?\\n]*(?:[vsoE#]|:(?!q))", dangers: [
    { name: "runs-program", reason: "keys of the pager can run commands", options: "k lesskey-file lesskey-src lesskey-content" },
    { name: "runs-program", reason: "keys of the pager can run commands", words: "\\n" },
    { name: "runs-program", reason: "a command in the pager's options", words: "^\\+(?!(?:[GgF]|\\d+[gG]?|/[^\\n!|]*)$)" }] },
  { names: "bat,batcat",
    options: "l,language: r,line-range: H,highlight-line: style: theme: m,map-syntax= pager: color: paging: A,show-all n,number p,plain N diff wrap: tabs:",
    operands: "read", readOnly: "pager diff", arity: 1, dangers: [{ name: "runs-program", reason: "\"bat\" runs a pager", options: "pager" }] },
  { names: "jq gojq jaq", prints: { [`^(?:.* )?-[a-zA-Z]*n[a-zA-Z]* (?!.*[${UNQUOTED}${SEVERAL}])(?:.* )?\\x1f*\\{[^|${ANY}]*\\}\\x1f*$`]: "object" }, options: "f,from-file L,library-path: r,raw-output j,join-output n,null-input s,slurp c,compact-output e,exit-status S,sort-keys a,ascii-output " +
    "C,color-output M,monochrome-output R,raw-input tab indent: seq stream arg:: argjson:: slurpfile:: rawfile:: argfile:: args jsonargs h V,version", operands: "read",
    skip: 1, unless: "f", reads: "L slurpfile rawfile argfile", readOnly: "f L slurpfile rawfile argfile", arity: 1, dangers: [
    { name: "prints-secrets", reason: "\"jq\" prints the environment", words: "(?:^|[|(,;[:+=]|//|\\b(?:then|else|try|reduce|foreach))\\s*env\\b(?!\\s*(?:\\.\\w|\\[\"|:))", operandsAlone: true },
    { name: "prints-secrets", reason: "\"jq\" prints the environment", words: "\\$ENV\\b(?!\\s*\\.\\w|\\s*\\[\")", operandsAlone: true, without: "--arg" },
    { name: "list-file", reason: "\"jq\" reads files that its program names", words: "(?:^|[;|\\s])(?:import|include)\\s*\"" }] },
  { names: "yq", options: "e,exit-status n,null-input o,output-format: p,input-format: P,prettyPrint r,unwrapScalar,raw-output j,tojson C,colors M,no-colors " +
    "I,indent: N,no-doc y Y c i,inplace,in-place", operands: "read", skip: 1, writing: "i", readOnly: "i s split-exp f from-file", edits: "s split-exp f from-file", dangers: [
    { name: "list-file", reason: "\"yq\" reads files that its program names", words: "\\bload\\w*\\s*\\(" },
    { name: "list-file", reason: "\"yq\" writes files that its expression names", options: "s split-exp", words: "\\.\\./|\"[/~]" },
    { name: "prints-secrets", reason: "\"yq\" prints the environment", words: "(?:^|[|(,;\\[])\\s*env\\b(?!\\()|\\$ENV\\b", operandsAlone: true }] },
  { names: "od", options: "A,address-radix: j,skip-bytes: N,read-bytes: S,strings? t,format: w? v a b c d f i l o s x", operands: "read", readOnly: "" },
  { names: "hexdump hd", options: "n,length: s,skip: e,format= f,format-file: L? C,canonical b c d o x v", operands: "read", readOnly: "", reads: "f" },
  { names: "strings", options: "n,bytes: t,radix: e,encoding: s,output-separator: T,target: U: a f o w d", operands: "read", readOnly: "", dangers: [OPTION_FILE] },
  { names: "xxd", options: "a b c,-cols: C d e E g: h i l: n: o: p,-ps r R: s: u v", operands: "filter", readOnly: "r", most: 1 },
  { names: "base64 base32", options: "d,decode,D i w,wrap: o,output: ignore-garbage", operands: "read", writes: "o", readOnly: "o" },
  { names: "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum",
    options: "b,binary c,check l,length: a,algorithm: tag t,text z,zero ignore-missing quiet status strict w,warn", operands: "read", readOnly: "",
    prints: { [`^(?:-a \\d+ )?(?:(?![-${ANY}])[^ ]+(?: |$))*$`]: "part any" } },
  { names: "nm readelf objdump c++filt", operands: "read", dangers: [OPTION_FILE],
    readsWith: "a A C D g u n p r S s l P o f h e t d j? x T R z W w V H L M? m? demangle dynamic undefined-only defined-only extern-only print-size size-sort " +
    "no-sort numeric-sort reverse-sort format print-file-name all file-header program-headers sections segments section-headers headers symbols syms dyn-syms " +
    "notes relocs version-info arch-specific wide hex-dump string-dump disassemble disassemble-all source full-contents all-headers reloc dynamic-reloc " +
    "section no-show-raw-insn start-address stop-address private-headers archive-headers info" },
  { names: "cloc tokei scc", operands: "read",
    readsWith: "f? s? e? t? i? w l c C a M? by-file by-file-by-lang json csv md xml yaml sum-one quiet include-lang exclude-lang exclude-dir exclude-ext include-ext match-f " +
    "not-match-f match-d not-match-d fullpath hide-rate skip-uniqueness format sort files exclude types type columns compact hidden wide no-complexity " +
    "no-cocomo no-duplicates no-min-gen no-gen not-match" },
  { names: "xmllint", options: "xpath= noout format schema: dtdvalid: relaxng: recover html xmlout nonet huge noblanks encode: -output: o: pretty: c14n valid noent shell", operands: "read",
    reads: "schema dtdvalid relaxng", writes: "output o", readOnly: "shell output o", plain: "^(?!\\w+://)", dangers: [{ name: "runs-program", reason: "it runs or writes by its own commands", options: "shell" }] },
  { names: "shellcheck", operands: "read", arity: 1, readsWith: "s? f? S? e? i? x a o? C? W? shell format severity exclude include external-sources check-sourced enable color" },
  { names: "dc", options: "e,expression= f,file: V h", operands: "read", reads: "f", escape: "!(?![<>=])" },
];
