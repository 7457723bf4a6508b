import { ANY, NUMBER } from "../../words/placeholders.ts";
import type { Program } from "../program-record.ts";
import { ONE_FILE } from "./text.ts";

// deno-fmt-ignore
const COPYING =
  "a,archive attributes-only b backup? copy-contents d f,force i,interactive H l,link L,dereference n,no-clobber P,no-dereference p preserve? parents " +
  "no-preserve: R,r,recursive reflink? remove-destination sparse: strip-trailing-slashes s,symbolic-link S,suffix: t,target-directory: " +
  "T,no-target-directory u,update? v,verbose x,one-file-system Z context? debug keep-directory-symlink exchange no-copy";

/** A mode by which a file runs with the rights of its owner or its group, or that is computed. */
const SETUID =
  `^[-ugoarwxXst,=+]*[+=][rwxXtugo]*s|^[-+=]?[0-7]*[2-7][0-7]{3}$|^[-+=\\d]*${NUMBER}[\\d${NUMBER}]*$`;

/** Programs that work with files as wholes: what there is, where, and whose. */
// deno-fmt-ignore
export const FILES: readonly Program[] = [
  { names: "rm", options: "f,force i I interactive? one-file-system no-preserve-root preserve-root? R,r,recursive d,dir v,verbose", operands: "write", edits: "",
    dangers: [{ name: "rm-root", reason: "\"rm\" without its last guard", options: "no-preserve-root" },
    { name: "rm-root", reason: "\"rm\" of a whole tree", options: "R", words: "^(?:/+\\*?|~/?\\*?|\\.{1,2}/?|\\*|\\.\\*|\\./\\*|\\.\\./\\*|\\$HOME.*|/(?:etc|usr|var|home|bin|sbin|lib|lib64|boot|dev|opt|root|proc|sys|srv|mnt|Users|System|Library)(?:/\\*?)?)$" }] },
  { names: "rimraf", options: "g,glob no-glob v,verbose preserve-root no-preserve-root", operands: "write", edits: "", dangers: [
    { name: "rm-root", reason: "\"rimraf\" of a whole tree", words: "^(?:/|~/?|\\.{1,2}/?|\\*|\\./\\*)$" }] },
  { names: "rmdir unlink", options: "ignore-fail-on-non-empty p,parents v,verbose", operands: "write", edits: "" },
  { names: "shred", options: "f,force n,iterations: random-source: s,size: u remove? v,verbose x,exact z,zero", operands: "write", reads: "random-source", dangers: [
    { name: "disk", reason: "\"shred\" overwrites a file for good" }] },
  { names: "mkdir", options: "m,mode: p,parents v,verbose Z context?", operands: "write", edits: "" },
  { names: "mkfifo mknod", options: "m,mode: Z context?", operands: "write" },
  { names: "touch", options: "a c,no-create d,date= f h,no-dereference m r,reference: t: time:", operands: "write", reads: "r", edits: "" },
  { names: "truncate", options: "c,no-create o,io-blocks r,reference: s,size:", operands: "write", reads: "r", edits: "" },
  { names: "chmod",
    options: "c,changes f,silent,quiet v,verbose no-preserve-root preserve-root reference: R,recursive H L P h,no-dereference dereference from: r w x X s t", operands: "write", edits: "",
    skip: 1, unless: "reference r w x X s t", reads: "reference", dangers: [
    { name: "setuid", reason: "a file would run with the rights of its owner", words: SETUID }] },
  { names: "chown chgrp",
    options: "c,changes f,silent,quiet v,verbose no-preserve-root preserve-root reference: R,recursive H L P h,no-dereference dereference from:", operands: "write",
    skip: 1, unless: "reference", reads: "reference", dangers: [{ name: "chown-root", reason: "a file would belong to root", words: "^(?:root|\\+?0+)(?:[:.]|$)|^[^:]*:(?:root|\\+?0+)$" }] },
  { names: "cp", options: COPYING, operands: "copy", target: "t", edits: "" },
  { names: "mv", options: COPYING, operands: "move", target: "t", edits: "" },
  { names: "ln", options: "b backup? d,F,directory f,force i,interactive L,logical n,no-dereference P,physical r,relative s,symbolic S,suffix: t,target-directory: " +
    "T,no-target-directory v,verbose", operands: "copy", target: "t", edits: "" },
  { names: "install", options: "b backup? c C,compare d,directory D g,group: m,mode: o,owner: p,preserve-timestamps s,strip strip-program: S,suffix: t,target-directory: " +
    "T,no-target-directory v,verbose Z context? debug", operands: "copy", target: "t", writing: "d", edits: "strip-program s", dangers: [
    { name: "runs-program", reason: "\"install\" runs another program", options: "strip-program" },
    { name: "setuid", reason: "a file would run with the rights of its owner", options: "m", values: SETUID }] },
  { names: "dd", syntax: "dd", operands: "none", dangers: [{ name: "disk", reason: "\"dd\" writes to a device", words: "^of=/dev/(?!null$|zero$)" }] },
  { names: "mktemp", options: "d,directory u,dry-run q,quiet p,tmpdir? suffix: t", operands: "write", writes: "p", edits: "", prints: { [`^(?:(?:-[dqut]+|--directory|--suffix=[\\w.-]+|-d?p (?:/tmp|\\.)|--tmpdir(?:=/tmp)?|(?:/tmp/|\\./)?(?!-)[\\w.${ANY}-]*X{3}[\\w.-]*)(?: |$))*$`]: "temporary" } },
  { names: "eza,exa lsd", operands: "read", options: "L,level: s,sort: I,ignore-glob: color: T,tree l,long a,all A d D 1 R,recurse F r,reverse h,header g i H git icons", readOnly: "" },
  { names: "ls dir vdir",
    options: "w,width: T,tabsize: I,ignore= block-size: hide= color? format: sort: time: time-style: indicator-style: quoting-style: a,all A,almost-all l " +
    "h,human-readable t r,reverse R,recursive d,directory 1 i,inode s,size S F,classify p n,numeric-uid-gid o g c u x m q b B C D,dired f G,no-group H " +
    "k,kibibytes L,dereference N,literal Q,quote-name U v X Z full-time group-directories-first author file-type si zero hyperlink?", operands: "read",
    readOnly: "", arity: 1 },
  { names: "stat readlink realpath",
    options: "c,format: printf: f,canonicalize,file-system L,dereference,logical P,physical t,terse relative-to: relative-base: e,canonicalize-existing " +
    "m,canonicalize-missing n,no-newline q,quiet s,strip,no-symlinks v,verbose z,zero cached:", operands: "read", readOnly: "", arity: 1, prints: { [`^(?:-L )?(?:-c ?|--format[ =])%[sXYZ](?: --)?(?: ${ONE_FILE})?$`]: "number" } },
  { names: "file", options: "m,magic-file: f,files-from: F,separator= e,exclude= P,parameter: b,brief i,mime k,keep-going L,dereference h,no-dereference z,uncompress Z " +
    "C,compile s r N 0,print0 mime-type mime-encoding extension", operands: "read", reads: "m f", readOnly: "C m f z Z", arity: 1, dangers: [
    { name: "runs-program", reason: "\"file\" reads or writes its own tables", options: "m f C" }] },
  { names: "du",
    options: "files0-from: X,exclude-from: exclude= d,max-depth: B,block-size: t,threshold: time? time-style: a,all c,total h,human-readable k l m s,summarize S " +
    "x 0,null b,bytes D H L P inodes apparent-size si", operands: "read", reads: "X", lists: "files0-from", readOnly: "X", arity: 1, prints: {
      "^-\\w*s(?!\\w*[hH0])\\w*(?: --exclude=\\S+)*(?: [^-*?[ \\x1f][^ \\x1f]*)*$": "number\tany", "^-\\w*s(?!\\w*0)\\w*(?: --exclude=\\S+)*(?: [^-*?[ \\x1f][^ \\x1f]*)*$": "part\tany" } },
  { names: "tree", options: "o: L: P= I= fromfile filelimit: charset: H: T: a d f l x i s h D p u g C n A S R J X dirsfirst noreport prune gitignore du",
    operands: "read", writes: "o", readOnly: "o R fromfile", arity: 1 },
  { names: "find", syntax: "find", dangers: [
    { name: "list-file", reason: "\"find\" takes paths from a file", words: "^-files0-from$" }] },
  { names: "fd,fdfind", syntax: "find",
    options: "H,hidden I,no-ignore u,unrestricted s,case-sensitive i,ignore-case g,glob F,fixed-strings a,absolute-path L,follow p,full-path d,max-depth: " +
    "min-depth: exact-depth: E,exclude: t,type: e,extension: S,size: changed-within: changed-before: o,owner: x X exec exec-batch l,list-details 0,print0 " +
    "max-results: 1 q,quiet c,color: j,threads:" },
  { names: "free", operands: "none", arity: 1, readsWith: "b k m g h w l t s? c? human si total wide lohi count seconds bytes kibi mebi gibi kilo mega giga tera",
    prints: { "^(?:-[bkmg]|--(?:mega|giga|mebi|gibi))?$": "any number number number number number number" } },
  { names: "basename dirname df", operands: "none", arity: 1,
    readsWith: "a b c? g h H i k l m p s? t? T w x? z B? multiple suffix zero human human-readable si inodes local portability total type exclude-type output block-size " +
    "bytes kibi mebi gibi kilo mega giga tera wide lohi count seconds" },
  { names: "tar,bsdtar", syntax: "tar", unpacks: "(?:^| )-(?:\\w*x|-(?:ex|ge))", target: "C", texts: "I to-command set-mtime-command checkpoint-action F rsh-command",
    options: "C,directory: f,file: T,files-from: X,exclude-from: g,listed-incremental: I,use-compress-program: exclude= strip-components: transform,xform: " +
    "to-command: set-mtime-command: checkpoint-action: checkpoint? F,info-script,new-volume-script: rsh-command: owner: group: mode: mtime: b: H,format: K: L: N: V: " +
    "one-top-level? null verbatim-files-from no-recursion exclude-vcs exclude-vcs-ignores c,create x,extract,get t,list r,append u,update A d,delete,diff z,gzip,gunzip j,bzip2 J,xz v,verbose " +
    "p k m h O,to-stdout w P,absolute-names a,auto-compress Z,compress zstd lzma keep-old-files overwrite no-same-owner wildcards numeric-owner", operands: "read", writing: "x",
    writes: "C f g one-top-level", reads: "X", lists: "T", shows: "t", readOnly: "c x r u A d I to-command set-mtime-command checkpoint-action F rsh-command g C",
    edits: "x A d I to-command set-mtime-command checkpoint-action F rsh-command g P transform", dangers: [
    { name: "rm-root", reason: "\"tar\" deletes everything that it packs", options: "remove-files", words: "^\\./?$" },
    { name: "sends-data", reason: "\"tar\" works on another machine", options: "f", values: "^[^/]+:" },
    { name: "runs-program", reason: "\"tar\" runs another program", options: "I to-command set-mtime-command checkpoint-action F rsh-command" },
    { name: "absolute-names", reason: "names in the archive can lead anywhere", options: "P absolute-names" },
    { name: "absolute-names", reason: "names in the archive become others, which can lead anywhere", options: "transform",
      values: "\\\\[LUlu]|;|\\.\\.|\\.(?:git|vscode|idea|claude|codex|cursor|gemini|husky|ssh|env|\\w*rc\\b|\\w*profile)|hooks" }] },
  { names: "unzip", unpacks: "", target: "d", options: "d: x: o n q j l p t v u a f Z C L", operands: "filter", writes: "d", shows: "l t v p Z", readOnly: "d x", dangers: [
    { name: "absolute-names", reason: "names in the archive can lead anywhere", words: "^-\\w*:" }] },
  { names: "zip", options: "r q 9 j u m x: i: b: d g o T -TT: unzip-command: @ 0 1 y e", operands: "change", writes: "b", lists: "@", edits: "TT T unzip-command", dangers: [
    { name: "rm-root", reason: "\"zip\" deletes everything that it packs", options: "m", words: "^\\./?$" },
    { name: "runs-program", reason: "\"zip\" runs another program", options: "TT unzip-command" },
    { name: "runs-program", reason: "\"zip\" runs another program", words: "^-\\w*TT" }] },
  { names: "cpio,bsdcpio pax", unpacks: "(?:^| )-(?:\\w*[ir]|-ex)", texts: "rsh-command",
    options: "o,create i,extract p,pass-through r w t,list d,make-directories m,preserve-modification-time u,unconditional v,verbose V,dot 0,null a,reset-access-time " +
    "b B c A,append H,format: x: F,file: I: O: D,directory: E,pattern-file: L,dereference l,link n k X z R,owner: s: S M: C,io-size: quiet f: rsh-command: " +
    "no-absolute-filenames absolute-filenames to-stdout block-size: sparse", operands: "write", writes: "F O D f", reads: "I E", lists: "o p w", dangers: [
    { name: "absolute-names", reason: "names in the archive can lead anywhere", options: "i r" }] },
  { names: "unsquashfs unar cabextract", unpacks: "" },
  { names: "uudecode", options: "o,output-file: c", operands: "read", writes: "o", unpacks: "", dangers: [
    { name: "absolute-names", reason: "a name in the data can lead anywhere", without: "(?:^| )(?:-o|--output-file)" }] },
  { names: "7z 7za 7zr 7zz rar unrar jar ar", unpacks: "^(?:e |-?\\w*x|--ex)", dangers: [{ name: "list-file", reason: "an archiver takes names from a list", words: "^(?:-[ix]r?\\d?)?@" },
    { name: "absolute-names", reason: "names in the archive can lead anywhere", words: "^-spf" }] },
  { names: "gzip gunzip bzip2 bunzip2 xz unxz zstd",
    options: "d,decompress k,keep f,force c,stdout q,quiet v t,test l,list r S: 1 2 3 4 5 6 7 8 9 n o: T? best fast files? files0? filelist:",
    operands: "change", writes: "o", lists: "files files0 filelist", shows: "c", readOnly: "o", edits: "r" },
  { names: "sponge", options: "a", operands: "write", edits: "" },
  { names: "dos2unix unix2dos", options: "k,keepdate q,quiet o,oldfile f,force s,safe", operands: "change", edits: "" },
  { names: "zgrep zipgrep", operands: "read", arity: 1, readsWith: "i v n c l h H E F e? w o x s q A? B? C? m? ignore-case count line-number invert-match only-matching" },
  { names: "zcat bzcat xzcat zstdcat zipinfo", operands: "read", arity: 1, readsWith: "1 2 c d f h k l m q s t v z M T Z" },
  { names: "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat wipefs fdisk sfdisk parted blkdiscard mkswap", dangers: [
    { name: "disk", reason: "a disk is overwritten for good" }] },
];
