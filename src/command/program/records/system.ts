import { ANY, NOT_FOLLOWED, NUMBER, PARTS, UNKNOWN } from "../../words/placeholders.ts";
import type { Program } from "../program-record.ts";

/** A regular expression for an address of this machine, also without a scheme. */
export const LOCAL: string =
  `^(?:https?://)?(?:localhost|127(?:\\.\\d{1,3}){3}|0\\.0\\.0\\.0|\\[::1\\])(?::[\\d${NUMBER}]*)?(?:[/?][^@\\s]*)?$`;

/** An address that names several files, or one by codes of characters. */
const CODED = "^[^?#]*(?:\\{|%2[ef]|/\\.[^/]*%)[^/]*$";

/** Programs about the machine, its processes, and other machines. */
// deno-fmt-ignore
export const SYSTEM: readonly Program[] = [
  { names: "whoami arch uname uuidgen", prints: { "^(?:-[imnprst])?$": "part" }, arity: 1, readsWith: "i m n p r s a o v t" },
  { names: "uptime groups who w users tty sleep cal yes", arity: 1,
    readsWith: "a b f h H i j l m M n o p q r s S T u v w y 3 1 A? all boot count heading users pretty since short silent kernel-name nodename kernel-release " +
    "kernel-version machine processor operating-system ignore" },
  { names: "id", readsWith: "u g G n r z user group groups name real zero", arity: 1, prints: { "^-(?:r?[ug]|[ug]r)(?: [\\w.]+)?$": "number", "^-[ug]n$": "part" } },
  { names: "pgrep", readsWith: "a c d? f F? g? G? i l n o P? s? t? u? U? v w x full list-name list-full newest oldest count exact parent", arity: 1,
    prints: { [`^(?:-[cfinovx]+ |-[gGPstuU] ?[\\w,]+ )*(?![-${ANY}])[^ ]+$`]: "number" } },
  { names: "which type whereis pidof pstree getent apropos whatis vmstat iostat lscpu lsblk", arity: 1,
    readsWith: "a A? b B c? C? d D? e? f F g? G? h i I? J k l m M n N o? O? p? P? r s? S? t? u? U? v w x X y z all exact full list-name list-full newest oldest count " +
    "euid uid group parent terminal inverse delimiter json fs paths list output bytes extended parse" },
  { names: "man info help tldr", keys: "[!|]|(?:^|\\n)[^/?\\n]*(?:[vsoE#]|:(?!q))", readsWith: "k f w W a d m s? S? i I apropos whatis where path all list linux platform language",
    arity: 1, dangers: [{ name: "runs-program", reason: "an option runs another program", options: "P pager H html preprocessor C config-file", without: "^(?:-P ?|--pager[ =])cat (?:\\d )?\\w[\\w.-]*$" }] },
  { names: "date", options: "d,date= f,file: r,reference: s,set: u,utc,universal R,rfc-email I? rfc-3339: iso-8601? debug", operands: "none", reads: "f r",
    readOnly: "s f", plain: "^\\+", arity: 1, prints: {
      "^(?:-u |-d \\S+ )?\\+%[CdFGHIjmMNRsSTuUVwWyY](?:%3?[CdFGHIjmMNRsSTuUVwWyY]|[\\d:-]|\\.(?=%))*$": "number",
      "^(?:-u )?(?:-I\\w*|\\+(?=[\\w%])(?:%-?[aAbBCdFGhHIjmMNpRsSTuUVwWyYZ]|[\\w:.-])+)$": "part" } },
  { names: "sysctl", prints: { "^-n hw\\.\\w*cpu$": "number" } },
  { names: "hostname", readsWith: "a A d f i I s y alias all-fqdns domain fqdn long ip-address all-ip-addresses short", most: 0, prints: { "^(?:-s)?$": "part" } },
  { names: "ps", readsWith: "A a c C? d e f F g? G? H j l L M n? N o? p? q? r s? t? T u U? v w x y Z ax sort format forest pid ppid user group cols columns width no-headers " +
    "headers headings deselect cumulative info", plain: "^(?:[a-df-z0-9]*|[a-z%]+[,=:][\\w%,=:]*)$", arity: 1,
    dangers: [{ name: "prints-secrets", reason: "\"ps\" prints the environment of processes", words: "^[axuwlvjfch]*e[axuwlvjfceh]*$", operandsAlone: true },
    { name: "prints-secrets", reason: "\"ps\" prints the environment of processes", words: "\\benviron\\b" }], prints: {
      "^(?!(?:.* )?-\\w*o.* -\\w*o)(?!(?:.* )?(?:--format|o )\\b)(?:.* )?-\\w*o ?(?:p?pid|pgid|rss|vsz|etimes|nlwp|[%p](?:cpu|mem))=(?: |$)": "number" } },
  { names: "lsof", readsWith: "a b c? C d? F? g? i? l L N n O o? p? P R s? t T? U u? V w X", plain: "^[^+]", prints: { "^(?!.*(?:^| )-\\w*F)(?:.* )?-[nPlwb]*t(?:i\\S*)?(?: |$)": "number" } },
  { names: "ss netstat", arity: 1, readsWith: "4 6 a b c? e f? g H i l m M n N? o O p r s S t u v w W x Z all listening numeric processes extended memory info summary tcp udp " +
    "unix raw ipv4 ipv6 resolve oneline no-header route interfaces statistics programs continuous wide options" },
  { names: "top", keys: "[kKrRW]", readsWith: "b c d? e? E? H i n? o? O p? s S u? U? w? 1", arity: 1 },
  { names: "printenv", readsWith: "0 null", dangers: [{ name: "prints-secrets", reason: "\"printenv\" prints the environment", most: 0 },
    { name: "prints-secrets", reason: "\"printenv\" prints a secret", words: "key|secret|token|passw|credential" }] },
  { names: "curl", sameOptions: "k,insecure L,location s,silent S,show-error f,fail i,include I,head v,verbose g,globoff G,get E,cert Q,quote t,telnet-option C,continue-at",
    options: "o,output: O,remote-name,remote-name-all J,remote-header-name output-dir: D,dump-header: c,cookie-jar: trace: trace-ascii: stderr: K,config: T,upload-file: hsts: etag-save: libcurl: " +
    "cacert: cert: key: netrc-file: H,header,proxy-header= d,data,data-raw,data-binary,json= data-urlencode: url-query: X,request= A,user-agent= b,cookie= e,referer= F,form= " +
    "form-string: n,netrc netrc-optional u,user= m,max-time: connect-timeout: retry: retry-delay: x,proxy: w,write-out= r,range: url: max-redirs: limit-rate: resolve: " +
    "unix-socket: C: E: Q: t: U: y: Y: z: P: s S L f k i I v g G j l N p q a B 0 1 2 3 4 6 R Z silent show-error location fail compressed insecure " +
    "include head verbose globoff get fail-with-body create-dirs retry-connrefused no-progress-meter http1.1 http2 tlsv1.2", operands: "none",
    writes: "o output-dir D c trace trace-ascii stderr hsts etag-save libcurl", reads: "K T b netrc-file unix-socket", marked: "d F H w", saves: "O", target: "output-dir", fetches: "x K resolve unix-socket", dangers: [
    { name: "sends-data", reason: "\"curl\" sends data or takes settings", options: "T K Q quote form-string" },
    { name: "sends-data", reason: "\"curl\" sends data", options: "data-urlencode url-query", values: "^[^=]*@" },
    { name: "sends-data", reason: "\"curl\" sends or writes files by text known only at run time", options: "F data-urlencode w", values: `(?!${NUMBER})[${ANY}]` },
    { name: "sends-data", reason: "\"curl\" sends data", options: "d F data-urlencode", startsKnown: true, except: "d F data-urlencode G b c X H s silent S show-error f fail fail-with-body i include v k N m connect-timeout retry retry-delay retry-connrefused fail-with-body compressed L location w o",
      exceptOperands: LOCAL },
    { name: "sends-data", reason: "\"curl\" reads or writes files", words: "^(?:file:|[^/?#%\\s]*[[{][^?#%\\s]*://)|[{,]file:|%output\\{|^--(?:expand-|var)" },
    { name: "sends-data", reason: "\"curl\" sends data", options: "H", values: "^@" },
    { name: "remote-name", reason: "the server or the address names the file", options: "J" },
    { name: "remote-name", reason: "the server or the address names the file", options: "O", words: CODED },
    { name: "remote-name", reason: "the server or the address names the file", options: "o", words: "#\\d" }] },
  { names: "wget wget2",
    options: "O,output-document: P,directory-prefix: q,quiet v,verbose nv,no-verbose c,continue N,timestamping S,server-response i,input-file: o,output-file: a,append-output: " +
    "U,user-agent: T,timeout: t,tries: w,wait: x,force-directories r,recursive m,mirror p,page-requisites k,convert-links l,level: A,accept= R,reject: D,domains: " +
    "np,no-parent nc,no-clobber nd,no-directories nH,no-host-directories E,adjust-extension 4 6 b,background d,debug B,base: header: referer: user: password: " +
    "show-progress progress: spider limit-rate: no-check-certificate content-disposition trust-server-names save-cookies: load-cookies: post-file: post-data: " +
    "body-file: body-data: method: use-askpass? e,execute= config: ca-certificate: max-redirect: retry-connrefused no-cookies no-hsts hsts-file: no-proxy " +
    "warc-file: rejected-log: cut-dirs: no-cache compression: read-timeout: connect-timeout: waitretry: no-config", operands: "none",
    writes: "O P o a save-cookies hsts-file warc-file rejected-log", reads: "load-cookies post-file body-file", lists: "i", saves: "", target: "P", fetches: "i e config B", dangers: [
    { name: "sends-data", reason: "\"wget\" sends data or takes settings", options: "post-file post-data body-file body-data method use-askpass e config" },
    { name: "remote-name", reason: "the server or the address names the file", options: "r m p x content-disposition trust-server-names" },
    { name: "remote-name", reason: "the server or the address names the file", words: CODED, without: "(?:^| )-(?:\\w*O|-output-d)" }] },
  { names: "aria2c axel", options: "d,dir: o,out,output: i,input-file: l,log: x,max-connection-per-server: s,split: j,max-concurrent-downloads: k,min-split-size: c,continue q,quiet a n:", saves: "", writes: "o d l", target: "d", lists: "i", fetches: "i", dangers: [
    { name: "sends-data", reason: "a download takes settings", options: "conf-path on-download-complete on-download-start on-download-stop on-download-error on-bt-download-complete" }] },
  { names: "http https xh xhs", options: "o,output: d,download c,continue b,body h,headers v,verbose f,form j,json a,auth= A,auth-type= F,follow I,ignore-stdin p,print= s,style= timeout= check-status", writes: "o", saves: "d", fetches: "" },
  { names: "rsync", sameOptions: "delete,del,delete-before,delete-during,delete-delay,delete-after,delete-excluded",
    options: "e,rsh: partial f,filter: exclude= include= exclude-from: include-from: files-from: T,temp-dir: log-file: partial-dir: backup-dir: link-dest: compare-dest: " +
    "copy-dest: rsync-path: password-file: bwlimit: timeout: port: chmod: suffix: a,archive v,verbose r,recursive z,compress n,dry-run delete P h " +
    "u,update i c l p t g o D H A X x R,relative b,backup progress stats delete-after delete-excluded q O W S I k K L", operands: "copy",
    writes: "T log-file partial-dir backup-dir", reads: "exclude-from include-from password-file", lists: "files-from", dangers: [
    { name: "runs-program", reason: "\"rsync\" runs another program", options: "e rsync-path" },
    { name: "list-file", reason: "\"rsync\" takes rules from a file", options: "f", values: "^(?:(?:dir-)?merge|[.:])" },
    { name: "sends-data", reason: "\"rsync\" copies to or from another machine", words: "^(?!-)[^/]*:" }] },
  { names: "scp", dangers: [{ name: "sends-data", reason: "\"scp\" copies to or from another machine", words: "^(?!-)[^/]*:" }] },
  { names: "nc,ncat,netcat telnet", options: "z v n N u w: q: 4 6", dangers: [{ name: "sends-data", reason: "it connects to another machine", except: "z v n N u w q 4 6",
    words: "^(?!(?:localhost|127\\.0\\.0\\.1|[\\d-]+|-[zvnNuwq46]+\\d*)$)" }] },
  { names: "socat sftp ftp lftp mail mailx mutt sendmail", dangers: [{ name: "sends-data", reason: "it connects to another machine" }] },
  { names: "dig nslookup host ping traceroute getent", fetches: "", dangers: [{ name: "sends-data", reason: "it asks for a name known only at run time", words: `^${UNKNOWN}$|[${NOT_FOLLOWED}${PARTS}].*\\.[a-z]` }] },
  { names: "su runuser visudo usermod useradd passwd gpasswd chsh", dangers: [{ name: "privilege", reason: "it changes the user or the rights" }],
    texts: "c command session-command", starts: { operands: 1, shell: true },
    options: "c,command: session-command: f,fast g,group: G,supp-group: l,login m,p,preserve-environment P,pty s,shell: u,user: w,whitelist-environment: T" },
  { names: "at batch", dangers: [{ name: "persistence", reason: "a command runs later" }] },
  { names: "crontab", options: "l u:", dangers: [{ name: "persistence", reason: "a command runs later", except: "l u" }] },
  { names: "shutdown reboot halt poweroff init", dangers: [{ name: "shutdown", reason: "the machine stops" }] },
  { names: "kill pkill killall", sameOptions: "9,KILL,SIGKILL,kill,s,signal 15,TERM,SIGTERM,s,signal", operands: "none", arity: 1, dangers: [
    { name: "kills-all", reason: "every process is ended", options: "9 15 KILL TERM s n", words: `^\\s*-(?:0*1|[${NOT_FOLLOWED}])$` }] },
  { names: "open xdg-open code subl", arity: 1 },
  { names: "setcap modprobe insmod rmmod swapoff", dangers: [{ name: "privilege", reason: "it changes the machine" }] },
  { names: "iptables ip6tables", options: "L,list n,numeric v,verbose t,table= line-numbers", dangers: [
    { name: "privilege", reason: "it changes the machine", except: "L n v t line-numbers" }] },
  { names: "nft", options: "a,handle j,json n,numeric s,stateless", dangers: [{ name: "privilege", reason: "it changes the machine", unless: "list" }] },
  { names: "history", readOnly: "s a w r c d p n", dangers: [{ name: "history", reason: "the history is written or run", options: "s a w r c d p n" }] },
  { names: "openssl", options: "out: keyout: writerand: sigout: CAserial:", writes: "out keyout writerand sigout CAserial", fetches: "", verbs: "version|rand|x509", readsWith: "a v hex base64 in noout text dates subject issuer serial fingerprint startdate enddate purpose pubkey sha256 checkend", prints: { "^rand -hex \\d+$": "part" }, dangers: [{ name: "runs-program", reason: "\"openssl\" loads an engine", options: "engine" }] },
  { names: "systemctl launchctl service brew apt,apt-get dnf,yum pacman snap", sameOptions: "y,yes,assume-yes,assumeyes f,force q,quiet H,host M,machine d,download-only S,sync R,remove U,upgrade", synonyms: "uninstall,rm,remove,erase install,in", prints: { "^shellenv(?: bash| zsh)?$": "setup" }, arity: 2, runs: true,
    verbs: "status|is-active|is-enabled|list-units|list-unit-files|list-timers|list|show|info|search|policy|outdated|deps", readsWith: "no-pager n? u? q l a all type state p? property user full installed upgradable versions",
    dangers: [{ name: "persistence", reason: "a program runs later", verbs: "enable|edit|link|preset|add-wants|set-default|load|bootstrap|submit" },
    { name: "shutdown", reason: "the machine stops", verbs: "reboot|poweroff|halt|kexec|suspend|hibernate|isolate|rescue|emergency" }] },
  { names: "journalctl", operands: "none", options: "u,unit: n,lines: p,priority: S,since: U,until: o,output: b,boot? t,identifier: g,grep: k,dmesg r,reverse q,quiet x,catalog f,follow no-pager user system list-boots disk-usage", readOnly: "" },
  { names: "dpkg dpkg-deb", unpacks: "(?:^| )-(?:[xX]|-v?extract|R|-raw-extract)", readsWith: "l s S L list status search listfiles", dangers: [{ name: "runs-program", reason: "an option runs another program", words: "^--(?:pre|post)-invoke" }] },
  { names: "ip ifconfig", arity: 2, dangers: [{ name: "runs-program", reason: "\"ip\" runs a batch", options: "batch" },
    { name: "isolation", reason: "\"ip\" runs a command in another namespace", words: "^e(?:x(?:ec?)?)?$" }] },
];
