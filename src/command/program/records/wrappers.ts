import { TRUSTED_REGISTRY } from "../../../platform/registries.ts";
import { NAMED, PARTS, SEVERAL, UNQUOTED } from "../../words/placeholders.ts";
import type { Program } from "../program-record.ts";
import { INSTALL_URL, PUBLISHES, PYTHON_URL } from "./developer-tools.ts";

const PRIVILEGE = [{ name: "privilege", reason: "it changes the user or the rights of a command" }];
/** A word that is one name, and no option. */
const ONE_NAME = `[\\w./${PARTS}${NAMED}][^\\s${UNQUOTED}${SEVERAL}]*`;
const ISOLATION = [{ name: "isolation", reason: "it runs a command outside of this environment" }];

/** The subcommands of npm, which takes short forms of them, and of aliases of them. */
const NPM =
  "access adduser,add-user approve-scripts audit bugs,issues cache ci,clean-install,ic,install-clean,isntall-clean completion config,c dedupe,ddp deny-scripts " +
  "deprecate diff dist-tag,dist-tags docs,home doctor edit exec,x explain,why explore find-dupes fund get help,hlep help-search init,create,innit " +
  "install,i,in,ins,inst,insta,instal,isnt,isnta,isntal,isntall,add install-ci-test,cit,clean-install-test,sit install-scripts install-test,it link,ln ll,la login " +
  "logout ls,list org,ogr outdated owner,author pack ping pkg prefix profile prune publish query rebuild,rb repo restart root run,run-script,rum,urn sbom " +
  "search,find,s,se set shrinkwrap stage star stars start stop team test,tst,t token trust undeprecate uninstall,unlink,remove,rm,r,un unpublish unstar " +
  "update,u,up,upgrade,udpate version,verison view,info,show,v whoami";

/** What is called by the name of its kind, or without it. */
const DOCKER =
  "rm,container/rm,container/remove exec,container/exec run,container/run stop,container/stop kill,container/kill start,container/start restart,container/restart " +
  "cp,container/cp create,container/create commit,container/commit export,container/export attach,container/attach update,container/update rename,container/rename " +
  "logs,container/logs ps,container/ls,container/list,container/ps wait,container/wait pause,container/pause rmi,image/rm,image/remove build,image/build,builder/build,buildx/build " +
  "pull,image/pull push,image/push save,image/save load,image/load import,image/import tag,image/tag images,image/ls,image/list history,image/history */rm,*/remove */ls,*/list";
/** Kinds of resources, by all of their names. */
const KINDS =
  "*/pods,*/pod,*/po */secrets,*/secret */services,*/service,*/svc */deployments,*/deployment,*/deploy */namespaces,*/namespace,*/ns */nodes,*/node,*/no " +
  "*/configmaps,*/configmap,*/cm */persistentvolumeclaims,*/persistentvolumeclaim,*/pvc */persistentvolumes,*/persistentvolume,*/pv */statefulsets,*/statefulset,*/sts " +
  "*/daemonsets,*/daemonset,*/ds */replicasets,*/replicaset,*/rs */ingresses,*/ingress,*/ing */jobs,*/job */cronjobs,*/cronjob,*/cj */serviceaccounts,*/serviceaccount,*/sa " +
  "*/events,*/event,*/ev */customresourcedefinitions,*/customresourcedefinition,*/crd,*/crds";

/** A package that is not from the registry. */
export const PACKAGE_ADDRESS: string =
  "^(?:(?:@[^@]+|[^@/]+)@)?(?:git[+:@]|https?:|ssh:|(?:github|gitlab|bitbucket|gist):|file:/|[\\w-][\\w.-]*/[\\w.-]+(?:#|$))";

/** What sets up an environment, and runs commands in it. */
// deno-fmt-ignore
const RUNNER: Pick<Program, "starts" | "dangers" | "prints"> = {
    starts: { behind: "^(?:exec|run|x|shell)$" }, dangers: [PYTHON_URL, { name: "runs-program", reason: "it runs a text", verbs: "x|exec", words: "^-c|^--command" },
    { name: "pipe-to-interpreter", reason: "it runs what comes through a pipe", verbs: "run -" }, { ...PUBLISHES, verbs: "publish" }],
    prints: { "^(?:(?:export|hook|activate|hook-env|env)(?: (?:-s |--shell )?(?:bash|zsh|sh))|env|activate|hook-env|shell\\.\\w+ hook)$": "setup" } };

// deno-fmt-ignore
const NPM_PROGRAM: Program = { names: "npm", synonyms: NPM, shortens: true, options: "c,-call: g,-global location: depth: json l,long parseable prefix: w,workspace: F,filter: C,prefix,dir,cwd: workspaces -script-shell: userconfig: globalconfig: node-options: registry: " +
    "loglevel: s,silent D,save-dev S,save E,save-exact f,force y,yes legacy-peer-deps tag: otp: access: a,all omit: include: prod production dev no", runs: true, files: "package.json *.test.* *.spec.* *.config.*", target: "C", texts: "c", arity: 2, arities: "run:3",
    starts: { behind: "^(?:exec|x|dlx|explore)$" }, verbs: "ls|list|ll|view|info|show|outdated|explain|why|root|prefix|bin|config get|config list|pkg get|help|whoami|query|search", readOnly: "script-shell C registry userconfig globalconfig node-options", plain: "^(?![\\w+]*://|git[@+]|\\w+:)",
    dangers: [{ name: "install-global", reason: "programs are installed for every project", options: "g",
      unless: "ls|list|ll|view|info|show|outdated|explain|why|root|prefix|bin" },
    { name: "install-global", reason: "programs are installed for every project", verbs: "global" },
    { name: "install-global", reason: "programs are installed for every project", options: "location", words: "^(?:global|user)$" },
    { ...INSTALL_URL, verbs: "install", words: PACKAGE_ADDRESS, operandsAlone: true },
    { ...INSTALL_URL, options: "registry", values: `^(?!${TRUSTED_REGISTRY})` },
    { ...PUBLISHES, verbs: "publish|unpublish|deprecate|npm publish" },
    { name: "remote-package", reason: "it may install a package and run it", options: "y", verbs: "exec" },
    { name: "remote-package", reason: "it runs a package from an address", verbs: "exec|dlx|init", words: "^(?:https?:|git\\+|github:)" },
    { name: "tool-config", reason: "settings can name programs that are run", verbs: "config edit|set" },
    { name: "runs-program", reason: "it runs a text", verbs: "explore" },
    { name: "runs-program", reason: "it runs a text", options: "c", values: "^exec$" },
    { name: "runs-program", reason: "it runs a text", options: "shell-mode" },
    { name: "runs-program", reason: "scripts are kept that were not looked at", verbs: "pkg set", words: "^scripts=" },
    { name: "runs-program", reason: "an option runs another program", options: "script-shell userconfig globalconfig node-options editor browser shell git viewer" }] };
/** The same, but they never only read: they run files of the workspace, `yarnPath` and `.pnpmfile.cjs`. */
const { verbs: _, readOnly: __, ...YARN } = NPM_PROGRAM;

/** Programs that start the command in their own words. */
// deno-fmt-ignore
export const WRAPPERS: readonly Program[] = [
  { names: "timeout", options: "k,kill-after: s,signal: f,foreground p,preserve-status v,verbose", starts: { operands: 1, transparent: true } },
  { names: "nice", options: "n,adjustment: 0 1 2 3 4 5 6 7 8 9 -", starts: { transparent: true } },
  { names: "time", options: "p,portability f,format: o,output: a,append v,verbose q,quiet l h", operands: "none", writes: "o", starts: { unless: "o", transparent: true } },
  { names: "stdbuf nohup", options: "i,input: o,output: e,error:", starts: { transparent: true } },
  { names: "env",
    options: "i,ignore-environment 0,null u,unset: C,chdir: S,split-string: v,debug a,argv0: P: block-signal? default-signal? ignore-signal? list-signal-handling",
    texts: "S", starts: { assignments: true, unless: "C S a P", directory: "C", transparent: true }, readOnly: "S C", most: 0, dangers: [
    { name: "prints-secrets", reason: "\"env\" prints the environment", most: 0 }] },
  { names: "command", options: "p v V", starts: { except: "v V", transparent: true }, readOnly: "", inert: true },
  { names: "builtin exec", options: "c l a:", starts: { unless: "c l a", transparent: true }, readOnly: "", most: 0, inert: true, inertWith: "^$", dangers: [{ name: "loader", reason: "a program gets the name of another one", options: "a" }] },
  { names: "sudo", options: "A,askpass b,background B,bell C,close-from: D,chdir: E preserve-env? e,edit g,group: H,set-home h,host: i,login K,remove-timestamp " +
    "k,reset-timestamp l,list n,non-interactive p,prompt: P,preserve-groups R,chroot: r,role: S,stdin s,shell T,command-timeout: t,type: U,other-user: " +
    "u,user: V,version v,validate N,no-update", starts: { assignments: true, directory: "D R i", shell: true }, dangers: PRIVILEGE },
  { names: "doas dzdo run0 gksudo sudoedit", options: "C: L n s u:", starts: { shell: true }, dangers: PRIVILEGE },
  { names: "pkexec", options: "user: disable-internal-agent keep-cwd", starts: {  }, dangers: PRIVILEGE },
  { names: "setsid dbus-run-session", options: "c,ctty f,fork w,wait config-file: dbus-daemon:", starts: {  }, dangers: [
    { name: "runs-program", reason: "an option runs another program", options: "dbus-daemon" }] },
  { names: "ssh-agent", options: "a: E: P: t: c d D k s", starts: {  }, prints: { "^(?:-s)?$": "setup" } },
  { names: "pyenv rbenv nodenv goenv jenv", arity: 2, runs: true, starts: { behind: "^exec$" }, prints: { "^init -?(?: ?(?:-|--path|--no-rehash|bash|zsh|sh))*$": "setup" } },
  { names: "fnm zoxide starship minikube", arity: 2, runs: true, prints: { "^docker-env(?: -p \\w+)?$": "setup", "^(?:env|init|shellenv)(?: (?:--use-on-cd|--shell|bash|zsh))*$": "setup" } },
  { names: "cross-env", options: "", starts: { assignments: true } },
  { names: "cross-env-shell", options: "", starts: { assignments: true, text: true } },
  { names: "dotenv dotenvx env-cmd", options: "e: f: o v", starts: {  } },
  { names: "rustup", runs: true, arity: 2, starts: { behind: "^run$" }, verbs: "show", readsWith: "v" },
  { names: "fzf", texts: "preview bind", options: "preview: bind: q,query: f,filter: m,multi e,exact 1 0 height: reverse", runs: true },
  { names: "choom", options: "n,adjust: p,pid:", starts: {  } },
  { names: "logsave", options: "a s v", operands: "write", starts: { operands: 1 } },
  { names: "ionice", options: "c,class: n,classdata: p,pid: P,pgid: t,ignore u,uid:", starts: {  } },
  { names: "chrt",
    options: "a,all-tasks b,batch d,deadline f,fifo i,idle m,max o,other p,pid r,rr R,reset-on-fork v,verbose T,sched-runtime: P,sched-period: D,sched-deadline:",
    starts: { operands: 1 } },
  { names: "taskset", options: "a,all-tasks p,pid c,cpu-list", starts: { operands: 1 } },
  { names: "linux32 linux64 i386 x86_64 uname26", options: "R,addr-no-randomize v,verbose 3,3gb", starts: { shell: true } },
  { names: "flock", options: "s,shared x,e,exclusive n,nb,nonblock u,unlock w,timeout: E,conflict-exit-code: o,close c,command: F,no-fork verbose",
    operands: "write", texts: "c", starts: { operands: 1 } },
  { names: "watch", options: "b,beep c,color C,no-color d,differences? e,errexit g,chgexit n,interval: p,precise q,equexit: r,no-rerun t,no-title w,no-wrap x,exec",
    starts: { text: true } },
  { names: "parallel sem", options: "j,jobs: k,keep-order a,arg-file: n,max-args: N: 0,null I: t v,verbose u,ungroup X m halt: joblog: colsep,C: d,delimiter: limit: rpl: bar eta dry-run",
    lists: "a", texts: "limit", dangers: [{ name: "runs-program", reason: "code replaces words of the command", options: "rpl" }], starts: { text: true, appends: true, replaces: "I" } },
  { names: "ssh", options: "b: c: D: E: e: F: I: i: J: L: l: m: O: o: p: Q: R: S: W: w: B: P: 4 6 A a C f G g K k M N n q s T t V v X x Y y",
    starts: { text: true, operands: 1 }, dangers: [
    // Its own settings, and the greeting of a host of repositories.
    { name: "sends-data", reason: "\"ssh\" runs a command on another machine", without: "^(?:-G (?!-)[\\w.@-]+|(?:-[Tv]+ |-o ?(?:BatchMode=yes|ConnectTimeout=\\d+) )+git@git(?:hub|lab)\\.com)$" },
    { name: "sends-data", reason: "\"ssh\" runs a command on another machine", words: "^--$", operandsAlone: true }] },
  { names: "script", options: "c,command: a,append e,return f,flush q,quiet t,timing? T,log-timing: I,log-in: O,log-out: B,log-io: m,logging-format: E,echo: o,output-limit:",
    operands: "write", writes: "t T I O B", texts: "c", starts: { operands: 1, shell: true } },
  { names: "ltrace", options: "A: a,align: D: e= F,config: l,library: n,indent: o,output: p: s: u: w,where: x: b c C f h i L r S t T V", operands: "none", writes: "o", starts: {  } },
  { names: "strace",
    options: "a: b: e,trace= E,env: I: o,output: O: p,attach: P: s,string-limit: S: u,user: U: X: c C d D f F h i k n q r t T v V w x y z Z", operands: "none",
    writes: "o", starts: {  }, dangers: [{ name: "runs-program", reason: "an option runs another program", options: "o", words: "^[|!]" }] },
  { names: "run-parts", operands: "read", runs: true },
  { names: "newgrp capsh", texts: "c", starts: { operands: 1, shell: true }, options: "c", dangers: PRIVILEGE },
  // A search by that name takes a pattern there.
  { names: "sg", texts: "c", starts: { operands: 1, shell: true }, options: "c", dangers: PRIVILEGE.map((rule) => ({ ...rule, without: "^run -p " })) },
  { names: "xvfb-run", options: "a,auto-servernum e,error-file: f,auth-file: l,listen-tcp n,server-num: p,xauth-protocol: s,server-args: w,wait:", starts: {  } },
  { names: "chroot", options: "groups: userspec: skip-chdir", starts: { operands: 1, shell: true }, dangers: ISOLATION },
  { names: "unshare",
    options: "i ipc? m mount? n net? p pid? u uts? U user? C cgroup? T time? f,fork kill-child? mount-proc? r,map-root-user c,map-current-user propagation: " +
    "setgroups: R,root: w,wd: S,setuid: G,setgid:", starts: { shell: true }, dangers: ISOLATION },
  { names: "nsenter",
    options: "a,all t,target: m,mount? u,uts? i,ipc? n,net? p,pid? C,cgroup? U,user? T,time? S,setuid: G,setgid: r,root? w,wd? F,no-fork Z,follow-context e,env " +
    "preserve-credentials", starts: { shell: true }, dangers: ISOLATION },
  { names: "systemd-run",
    options: "u,unit: p,property: description: slice: E,setenv: r,remain-after-exit user system scope t,pty P,pipe q,quiet G,collect S,shell wait no-block " +
    "d,same-dir working-directory: uid: gid: nice: H,host: M,machine: on-active: on-boot: on-calendar: timer-property:", starts: {  }, dangers: ISOLATION },
  { names: "systemd-inhibit", options: "what: who: why: mode:", starts: {  } },
  { names: "busybox toybox", options: "list list-full install help", starts: {  } },
  { names: "coreutils", options: "coreutils-prog: coreutils-prog-shebang:", texts: "coreutils-prog coreutils-prog-shebang", starts: {  } },
  { names: "caffeinate", options: "d i m s u t: w:", starts: {  } },
  { names: "fakeroot firejail proot setarch", options: "", starts: { shell: true } },
  { names: "faketime setuidgid envuidgid gosu su-exec gdbserver s6-setuidgid", options: "", starts: { operands: 1 } },
  { names: "perf", runs: true, starts: { behind: "^(?:stat|record|trace|mem|c2c|lock|kvm|sched|ftrace)$" } },
  { names: "corepack catchsegv eatmydata proxychains proxychains4 torsocks unbuffer chpst softlimit cpulimit numactl prlimit setpriv " +
    "pgrphack dumb-init tini ts-run rlwrap aa-exec winpty wine chronic errno ifne " +
    "xargs-exec viddy valgrind heaptrack memusage daemonize start-stop-daemon bwrap ts arch stdbuf-run", options: "", starts: {  } },
  { names: "hyperfine",
    options: "w,warmup: m,min-runs: M,max-runs: r,runs: s,setup: p,prepare: C,conclude: c,cleanup: reference: P,parameter-scan:: D: L,parameter-list:: S,shell: N " +
    "i,ignore-failure style: sort: u,time-unit: export-asciidoc: export-csv: export-json: export-markdown: export-orgmode: show-output output: input: " +
    "n,command-name:", texts: "s p C c reference", starts: { each: true }, dangers: [
    { name: "runs-program", reason: "an option changes what \"hyperfine\" runs", options: "P L S" }] },
  { names: "concurrently",
    options: "n,names: c,prefix-colors: k,kill-others kill-others-on-fail s,success: p,prefix: r,raw i,handle-input m,max-processes: restart-tries: " +
    "restart-after: g,group hide: no-color t,timestamp-format: l,prefix-length: P,passthrough-arguments teardown:", texts: "teardown", starts: { each: true } },
  { names: "nodemon", options: "x,exec: w,watch: e,ext: i,ignore: d,delay: V,verbose C,on-change-only L,legacy-watch q,quiet s,signal:", texts: "x", runs: true },
  { names: "entr watchexec",
    options: "a c,clear d,debounce: n,no-shell p,postpone r,restart s x z e,exts: w,watch: i,ignore: f,filter: q,quiet N,notify", starts: { text: true } },
  { names: "ld.so", options: "library-path: inhibit-cache preload: argv0: list verify audit:", starts: {  }, dangers: [
    { name: "loader", reason: "the loader runs another program" }] },
  { names: "xargs",
    options: "0,null a,arg-file: d,delimiter= E: e? eof? I= i,replace? L: l? max-lines? n,max-args: o,open-tty P,max-procs: p,interactive r,no-run-if-empty " +
    "s,max-chars: t,verbose x,exit show-limits process-slot-var: J: R: S:", operands: "none", reads: "a", starts: { appends: true, replaces: "I i J" }, readOnly: "" },
  { names: "npx bunx pnpx", options: "y,yes p,package: c,call: q,quiet no-install no prefer-offline offline ignore-existing ignore-scripts s,silent loglevel= bun w,workspace:", runs: true, texts: "c",
    starts: {  }, arity: 2, dangers: [
    { name: "remote-package", reason: "it runs a package from an address", words: PACKAGE_ADDRESS }] },
  { names: "mispipe pee start-server-and-test server-test start-test", starts: { each: true } },
  { names: "pm2", runs: true, options: "n,name= i,instances= f,force watch no-daemon interpreter= cwd: env= time", starts: { behind: "^start$", text: true } },
  { names: "envdir", options: "", operands: "read", starts: { operands: 1 } },
  { names: "docker podman nerdctl", sameOptions: "v,volume v,volumes p,publish e,env i,interactive t,tty d,detach u,user w,workdir m,memory h,hostname P,publish-all f,force f,file f,filter a,all a,attach q,quiet t,tag t,timeout net,network c,context H,host p,project-name n,no-trunc", synonyms: DOCKER, runs: true, files: "Dockerfile docker-compose.y*ml compose.y*ml", arity: 2, arities: "compose:3", loads: "^compose (?:(?:-[fp]|--profile) \\S+ )*(?:up|down|build|ps|pull|create|start|stop|restart)(?: |$)",
    starts: { behind: "^(?:exec|run|unshare)$", apart: true }, verbs: "ps|images|logs|inspect|history|stats|version|info|top|port|container inspect|image inspect|image history|volume inspect|network inspect|system df|context ls|compose ps|compose logs|compose ls|volume ls|network ls|image ls|container ls",
    readsWith: "a q n? f? s l t all quiet last filter follow format no-trunc size latest tail since until timestamps details digests type no-stream no-color no-log-prefix services images volumes", prints: {
      [`^(?!.* (?:-f|--format).* (?:-f|--format))(?:(?:container|image) )?inspect (?:${ONE_NAME} )?(?:-f |--format[ =])\\{\\{ ?\\.(?:State\\.(?:ExitCode|Pid)|RestartCount|Size) ?\\}\\}(?: |$)`]: "number",
      "^(?:compose )?(?:ps|images|container ls) (?:.* )?(?:-\\w*q\\w*|--quiet)(?: |$)": "part" }, dangers: [{ name: "pipe-to-interpreter", reason: "services come from the input", verbs: "compose", words: "^-$", without: "(?:^| )(?:exec|run)(?: |$)" },
    { name: "docker-prune", reason: "what is not used is removed", words: "^prune$" },
    { name: "isolation", reason: "the container has rights on this machine", options: "privileged device cap-add security-opt" },
    { name: "isolation", reason: "the container writes to this machine's files", words: "^(?:/|/(?:etc|root|home|usr|var|var/run/docker\\.sock))/?:" }] },
  { names: "kubectl oc", sameOptions: "n,namespace A,all-namespaces o,output l,selector f,filename f,follow c,container w,watch R,recursive k,kustomize L,label-columns p,previous p,patch i,stdin t,tty s,server", synonyms: KINDS, runs: true, files: "", arity: 2, prints: { "^(?!.* (?:-o|--output).* (?:-o|--output))(?:.* )?(?:-o |--output[= ])jsonpath=\\{\\.(?:status|spec)\\.\\w*[rR]eplicas\\}(?: |$)": "number",
      "^(?!.* (?:-o|--output).* (?:-o|--output))(?:.* )?(?:-o |--output[= ])jsonpath=\\{(?:\\.items\\[\\d\\])?\\.metadata\\.name\\}(?: |$)": "ref" }, starts: { behind: "^(?:exec|run)$", apart: true }, verbs: "get|describe|logs|version|top|explain|api-resources|api-versions|cluster-info|config current-context|config get-contexts|config view|auth can-i",
    readsWith: "n? A o? l? w f c? p L? namespace all-namespaces output selector watch watch-only follow tail container previous since since-time show-labels label-columns " +
    "sort-by field-selector no-headers ignore-not-found timestamps all-containers prefix client short show-events show-kind chunk-size max-log-requests", plain: "^(?!(?:.*,)?[sS][eE][cC][rR][eE][tT][sS]?(?:[.,/]|$))", dangers: [
    { name: "kubectl-delete", reason: "resources are deleted", words: "^delete$" }] },
  { names: "direnv aws-vault op doppler pipenv pdm hatch bundle opam rtx pixi rye", runs: true, files: "Gemfile pyproject.toml", arity: 2, ...RUNNER },
  { names: "mise asdf conda", runs: true, arity: 2, verbs: "list|ls|current|env list", readsWith: "a all json", ...RUNNER },
  { names: "uv", runs: true, files: "pyproject.toml setup.py", script: "^$", arity: 2, verbs: "pip list|pip show|pip freeze|pip check|pip tree|python list", readsWith: "outdated all json format", ...RUNNER },
  { names: "poetry", runs: true, files: "pyproject.toml", arity: 2, verbs: "show|env list", readsWith: "t l o a tree latest outdated all", ...RUNNER },
  { names: "uvx", runs: true, options: "from: with: python: q", starts: {  }, dangers: [PYTHON_URL] },
  { names: "pipx", runs: true, starts: { behind: "^run$" }, dangers: [PYTHON_URL] },
  NPM_PROGRAM,
  { ...YARN, names: "yarn pnpm" },
  { names: "nix nix-build", runs: true, files: "*.nix", starts: { behind: "^(?:run|shell|develop)$" } },
  { names: "nix-shell", runs: true, files: "*.nix", options: "run: command: p,packages A,attr: I: E,expr pure i: keep: arg:: argstr:: Q v", texts: "run command", starts: { each: true } },
];
