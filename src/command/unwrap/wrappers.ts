import { options, type OptionSpec } from "../options.ts";

/** How a program that starts another one is called. */
export interface Wrapper {
  readonly spec: OptionSpec;
  /** Operands before the command. */
  readonly operands: number;
  /** `NAME=value` words may come before the command. */
  readonly assignments: boolean;
  /** The words after the options are one text for a shell. */
  readonly text: boolean;
  /** Options whose value is text for a shell. */
  readonly scripts: readonly string[];
  /** Options with which it starts nothing, or something else than its operands. */
  readonly except: readonly string[];
  /** It appends words that are known only at run time. */
  readonly appends: boolean;
}

function wrapper(
  names: string,
  table: string,
  rest: Partial<Omit<Wrapper, "spec">> = {},
): [string, Wrapper][] {
  const entry: Wrapper = {
    spec: options(table, true),
    operands: 0,
    assignments: false,
    text: false,
    scripts: [],
    except: [],
    appends: false,
    ...rest,
  };
  return names.split(" ").map((name) => [name, entry]);
}

/** Programs that start the command in their own arguments, by name. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  ...wrapper(
    "timeout gtimeout",
    "k,kill-after: s,signal: f,foreground p,preserve-status v,verbose",
    {
      operands: 1,
    },
  ),
  ...wrapper("nice", "n,adjustment:"),
  ...wrapper("nohup", ""),
  ...wrapper("time", "p,portability f,format: o,output: a,append v,verbose q,quiet l h"),
  ...wrapper("stdbuf", "i,input: o,output: e,error:"),
  ...wrapper(
    "env",
    "i,ignore-environment 0,null u,unset: C,chdir: S,split-string: v,debug a,argv0: P: block-signal? default-signal? " +
      "ignore-signal? list-signal-handling",
    { assignments: true, scripts: ["S"], except: ["C"] },
  ),
  ...wrapper("command", "p v V", { except: ["v", "V"] }),
  ...wrapper("builtin", ""),
  ...wrapper("exec", "c l a:"),
  ...wrapper(
    "sudo",
    "A,askpass b,background B,bell C,close-from: D,chdir: E,preserve-env? e,edit g,group: H,set-home h,host: i,login " +
      "K,remove-timestamp k,reset-timestamp l,list n,non-interactive p,prompt: P,preserve-groups R,chroot: r,role: " +
      "S,stdin s,shell T,command-timeout: t,type: U,other-user: u,user: V,version v,validate N,no-update",
    { assignments: true },
  ),
  ...wrapper("doas", "C: L n s u:"),
  ...wrapper("pkexec", "user: disable-internal-agent keep-cwd"),
  ...wrapper(
    "su runuser",
    "c,command: session-command: f,fast g,group: G,supp-group: l,login m,p,preserve-environment P,pty s,shell: u,user: w,whitelist-environment: T",
    {
      scripts: ["c", "session-command"],
      operands: 1,
    },
  ),
  ...wrapper("setsid", "c,ctty f,fork w,wait"),
  ...wrapper("ionice", "c,class: n,classdata: p,pid: P,pgid: t,ignore u,uid:"),
  ...wrapper(
    "chrt",
    "a,all-tasks b,batch d,deadline f,fifo i,idle m,max o,other p,pid r,rr R,reset-on-fork v,verbose T,sched-runtime: P,sched-period: D,sched-deadline:",
    {
      operands: 1,
    },
  ),
  ...wrapper("taskset", "a,all-tasks p,pid c,cpu-list", { operands: 1 }),
  ...wrapper(
    "setarch",
    "B,32bit F,fdpic-funcptrs I,short-inode L,addr-compat-layout R,addr-no-randomize S,whole-seconds T,sticky-timeouts X,read-implies-exec Z,mmap-page-zero 3,3gb v,verbose",
    {
      operands: 1,
    },
  ),
  ...wrapper("linux32 linux64 i386 x86_64", "R,addr-no-randomize v,verbose 3,3gb"),
  ...wrapper(
    "flock",
    "s,shared x,e,exclusive n,nb,nonblock u,unlock w,timeout: E,conflict-exit-code: o,close c,command: F,no-fork verbose",
    {
      operands: 1,
      scripts: ["c"],
    },
  ),
  ...wrapper(
    "watch",
    "b,beep c,color C,no-color d,differences? e,errexit g,chgexit n,interval: p,precise q,equexit: r,no-rerun t,no-title w,no-wrap x,exec",
    {
      text: true,
    },
  ),
  ...wrapper(
    "parallel",
    "j,jobs: k,keep-order a,arg-file: n,max-args: N: 0,null I: t v,verbose u,ungroup X m halt: joblog: colsep,C: d,delimiter: bar eta dry-run",
    {
      text: true,
      appends: true,
    },
  ),
  ...wrapper(
    "ssh",
    "b: c: D: E: e: F: I: i: J: L: l: m: O: o: p: Q: R: S: W: w: B: P: 4 6 A a C f G g K k M N n q s T t V v X x Y y",
    {
      text: true,
      operands: 1,
    },
  ),
  ...wrapper(
    "script",
    "c,command: a,append e,return f,flush q,quiet t,timing? I,log-in: O,log-out: B,log-io: E,echo: o,output-limit:",
    {
      scripts: ["c"],
      operands: 1,
    },
  ),
  ...wrapper(
    "strace ltrace",
    "a: b: e,trace: E,env: I: o,output: O: p,attach: P: s,string-limit: S: u,user: U: X: c C d D f F h i k n q r t T v V w x y z Z",
  ),
  ...wrapper(
    "xvfb-run",
    "a,auto-servernum e,error-file: f,auth-file: l,listen-tcp n,server-num: p,xauth-protocol: s,server-args: w,wait:",
  ),
  ...wrapper("dbus-run-session", "config-file: dbus-daemon:"),
  ...wrapper("chroot", "groups: userspec: skip-chdir", { operands: 1 }),
  ...wrapper(
    "unshare",
    "i,ipc? m,mount? n,net? p,pid? u,uts? U,user? C,cgroup? T,time? f,fork kill-child? mount-proc? r,map-root-user c,map-current-user propagation: setgroups: R,root: w,wd: S,setuid: G,setgid:",
  ),
  ...wrapper(
    "nsenter",
    "a,all t,target: m,mount? u,uts? i,ipc? n,net? p,pid? C,cgroup? U,user? T,time? S,setuid: G,setgid: r,root? w,wd? F,no-fork Z,follow-context e,env preserve-credentials",
  ),
  ...wrapper(
    "systemd-run",
    "u,unit: p,property: description: slice: E,setenv: r,remain-after-exit user system scope t,pty P,pipe q,quiet G,collect S,shell wait no-block d,same-dir working-directory: uid: gid: nice: H,host: M,machine: on-active: on-boot: on-calendar: timer-property:",
  ),
  ...wrapper("systemd-inhibit", "what: who: why: mode:"),
  ...wrapper("busybox toybox", ""),
  ...wrapper("caffeinate", "d i m s u t: w:"),
  ...wrapper(
    "catchsegv eatmydata faketime proxychains proxychains4 torsocks fakeroot unbuffer chpst softlimit cpulimit numactl prlimit firejail",
    "",
  ),
  ...wrapper(
    "xargs gxargs",
    "0,null a,arg-file: d,delimiter: E: e? eof? I: i? replace? L: l? max-lines? n,max-args: o,open-tty P,max-procs: " +
      "p,interactive r,no-run-if-empty s,max-chars: t,verbose x,exit show-limits process-slot-var: J: R: S:",
    { appends: true },
  ),
  ...wrapper("npx bunx pnpx", "y,yes p,package: c,call: q,quiet", { scripts: ["c"] }),
]);

/** Programs that start the command after one of these subcommands. */
export const RUNNERS: ReadonlyMap<string, readonly string[]> = new Map([
  ["docker", ["exec", "run"]],
  ["podman", ["exec", "run"]],
  ["kubectl", ["exec", "run"]],
  ["direnv", ["exec"]],
  ["mise", ["exec", "x"]],
  ["asdf", ["exec"]],
  ["uv", ["run"]],
  ["uvx", []],
  ["poetry", ["run"]],
  ["pipenv", ["run"]],
  ["pdm", ["run"]],
  ["hatch", ["run"]],
  ["bundle", ["exec"]],
  ["npm", ["exec", "x"]],
  ["pnpm", ["exec", "dlx"]],
  ["yarn", ["exec", "dlx"]],
  ["bun", ["x"]],
  ["nix", ["run", "shell", "develop"]],
  ["nix-shell", []],
  ["conda", ["run"]],
  ["opam", ["exec"]],
  ["cargo", ["watch"]],
  ["aws-vault", ["exec"]],
  ["op", ["run"]],
  ["doppler", ["run"]],
  ["git", ["bisect"]],
]);
