import type { Program } from "../program.ts";

/** Programs about the machine, its processes, and other machines. */
// deno-fmt-ignore
export const SYSTEM: readonly Program[] = [
  { names: "uptime groups whoami who w users tty arch uname sleep cal", readOnly: "", arity: 1 },
  { names: "nproc", readOnly: "", arity: 1, numeric: "all" },
  { names: "id", readOnly: "", arity: 1, numeric: "u g" },
  { names: "which type whereis pgrep vmstat iostat tldr man info help lscpu lsblk", keys: "[!|]|(?:^|\\n)[^/?\\n]*(?:[vsoE#]|:(?!q))",
    readOnly: "P pager H html C config-file M l local-file preprocessor p X T Z troff", arity: 1, dangers: [
    { name: "runs-program", reason: "an option runs another program", options: "P pager H html preprocessor C config-file" }] },
  { names: "date", options: "d,date: f,file: r,reference: s,set: u,utc,universal R,rfc-email I? rfc-3339: iso-8601? debug", operands: "none", reads: "f r",
    readOnly: "s f", plain: "^\\+", numeric: "+%s", arity: 1 },
  { names: "hostname", readOnly: "F file b boot", most: 0 },
  { names: "ps", readOnly: "", plain: "^[a-df-z0-9]*$", arity: 1 },
  { names: "lsof", readOnly: "m D", plain: "^[^+]" },
  { names: "ss netstat", readOnly: "K kill", arity: 1 },
  { names: "printenv", readOnly: "", dangers: [{ name: "prints-secrets", reason: "\"printenv\" prints the environment", most: 0 },
    { name: "prints-secrets", reason: "\"printenv\" prints a secret", words: "key|secret|token|passw|credential" }] },
  { names: "curl",
    options: "o,output: O,remote-name output-dir: D,dump-header: c,cookie-jar: trace: trace-ascii: stderr: K,config: T,upload-file: hsts: etag-save: libcurl: " +
    "cacert: cert: key: netrc-file: H,header: d,data,data-raw,data-binary,json: data-urlencode: X,request: A,user-agent: b,cookie: e,referer: F,form: " +
    "form-string: u,user: m,max-time: connect-timeout: retry: retry-delay: x,proxy: w,write-out: r,range: url: max-redirs: limit-rate: resolve: " +
    "unix-socket: C: E: Q: t: U: y: Y: z: P: s S L f k i I v g G J j l n N p q a B 0 1 2 3 4 6 R Z silent show-error location fail compressed insecure " +
    "include head verbose globoff get fail-with-body create-dirs retry-connrefused no-progress-meter http1.1 http2 tlsv1.2", operands: "none",
    writes: "o output-dir D c trace trace-ascii stderr hsts etag-save libcurl", reads: "K T b netrc-file", dangers: [
    { name: "sends-data", reason: "\"curl\" sends data or takes settings", options: "T F K data-urlencode form-string" },
    { name: "sends-data", reason: "\"curl\" sends data", options: "d", except: "d X H s silent S show-error f fail fail-with-body i include v k N m connect-timeout retry w o",
      exceptOperands: "^(?:https?://)?(?:localhost|127(?:\\.\\d{1,3}){3}|\\[::1\\])(?::\\d+)?(?:[/?][^@\\s]*)?$" },
    { name: "sends-data", reason: "\"curl\" reads files", words: "^(?:file:|@)" }] },
  { names: "wget", dangers: [
    { name: "sends-data", reason: "\"wget\" sends data or takes settings", options: "post-file post-data body-file body-data method use-askpass e config execute" }] },
  { names: "rsync",
    options: "e,rsh: f,filter: exclude: include: exclude-from: include-from: files-from: T,temp-dir: log-file: partial-dir: backup-dir: link-dest: compare-dest: " +
    "copy-dest: rsync-path: password-file: bwlimit: timeout: port: chmod: suffix: a,archive v,verbose r,recursive z,compress n,dry-run delete P h " +
    "u,update i c l p t g o D H A X x R,relative b progress stats delete-after delete-excluded q O W S I k K L", operands: "copy",
    writes: "T log-file partial-dir backup-dir", reads: "exclude-from include-from files-from password-file", dangers: [
    { name: "runs-program", reason: "\"rsync\" runs another program", options: "e rsync-path" },
    { name: "sends-data", reason: "\"rsync\" copies to or from another machine", words: "^(?!-)[^/]*:" }] },
  { names: "scp", dangers: [{ name: "sends-data", reason: "\"scp\" copies to or from another machine", words: "^(?!-)[^/]*:" }] },
  { names: "nc ncat netcat", options: "z v n u w: 4 6", dangers: [{ name: "sends-data", reason: "it connects to another machine", except: "z v n u w 4 6" }] },
  { names: "socat telnet sftp ftp", dangers: [{ name: "sends-data", reason: "it connects to another machine" }] },
  { names: "dig nslookup host ping traceroute", dangers: [{ name: "sends-data", reason: "it asks for a name known only at run time", words: "^$" }] },
  { names: "su visudo usermod useradd passwd gpasswd chsh", dangers: [{ name: "privilege", reason: "it changes the user or the rights" }],
    texts: "c command session-command", starts: { operands: 1 },
    options: "c,command: session-command: f,fast g,group: G,supp-group: l,login m,p,preserve-environment P,pty s,shell: u,user: w,whitelist-environment: T" },
  { names: "at batch", dangers: [{ name: "persistence", reason: "a command runs later" }] },
  { names: "crontab", options: "l u:", dangers: [{ name: "persistence", reason: "a command runs later", except: "l u" }] },
  { names: "shutdown reboot halt poweroff init", dangers: [{ name: "shutdown", reason: "the machine stops" }] },
  { names: "kill pkill killall open xdg-open code subl", arity: 1 },
  { names: "history", readOnly: "s a w r c d p n", dangers: [{ name: "history", reason: "the history is written or run", options: "s a w r c d p n" }] },
  { names: "openssl", dangers: [{ name: "runs-program", reason: "\"openssl\" loads an engine", options: "engine" }] },
  { names: "systemctl service journalctl brew apt apt-get dnf yum pacman snap", arity: 2, runs: true },
  { names: "ip ifconfig", arity: 2, dangers: [
    { name: "runs-program", reason: "\"ip\" runs a batch", options: "batch" },
    { name: "isolation", reason: "\"ip\" runs a command in another namespace", words: "^e(?:x(?:ec?)?)?$" }] },
];
