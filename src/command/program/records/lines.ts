import type { DangerRule } from "../program-record.ts";
import { PACKAGE_ADDRESS } from "./wrappers.ts";

const PACKAGE = PACKAGE_ADDRESS.slice(1).replaceAll("[^@", "[^ @").replace("#|$", "#|(?= |$)");
const URL = "(?:https?|ftp)://(?!localhost[:/]|127\\.0\\.0\\.1[:/])\\S*";
/** Options of npm that name a place in the next word, and all of them. */
const PLACE = "(?:-[wC]|--(?:workspace|prefix|dir|cwd|filter))";
const OF_NPM = `(?:${PLACE} \\S+ |-\\S+ )*?`;
/** From this machine to a store of files elsewhere. */
const UPLOAD = " … (?!(?:s3|gs)://)(?:-|[^- ]\\S*) … (?:s3|gs)://\\S*(?= -|$)";

/** Command lines of services that have no record of their own. */
const SERVICES =
  "(?:az|gcloud|bq|heroku|fly|flyctl|vercel|netlify|wrangler|supabase|firebase|sam|sls|serverless|eb|doctl|linode-cli|ibmcloud|oci|consul|etcdctl|vault|nomad|influx|rabbitmq\\w+|copilot|scw|hcloud|vultr-cli|railway)";
/** What a subcommand is called that takes something away for good. */
const DESTROYS =
  "(?!-)(?:[\\w:-]*[:-])?(?:delete|destroy|drop|purge|wipe|flush|terminate|erase)(?:-(?!branch)[\\w-]+)?(?= |$)";

const DRY_RUN =
  "(?:^| )(?:-n|--dry-?run(?:=(?!false)\\S+)?|--snapshot|--skip\\S*publish\\S*|--help|-h)(?: |$)";

/** What sends data, or connects elsewhere. */
export const SENDS_DATA = {
  name: "sends-data",
  reason: "it sends data to another machine, or connects to it",
};

/** Dangers of many programs, of which most have no record. */
// deno-fmt-ignore
export const LINE_DANGERS: readonly DangerRule[] = [
  { name: "kills-all", reason: "every process is ended, or every one of a user", lines: [
    "kill -(?!l)\\S+ … \\x1f*-0*1", "p(?:kill|grep) … [.^]?[*+$]?$", "pkill … (?:-[a-z]*v[a-z]*|--inverse)", "pkill -… (?:-[uUGg]|--e?[ug]id)[ =]?\\S+$",
    "killall -… (?:-u|--user)[ =]?\\S+$", "killall -…$", "skill … -[ut]", "fuser … -[a-z]*(?:k[a-z]*m|m[a-z]*k)[a-z]*"] },
  { name: "publishes", reason: "what is published cannot be taken back", without: DRY_RUN, lines: [
    "mvnw? … (?:deploy(?::\\S+)?|release:perform|\\S*deploy-plugin\\S*:deploy\\S*)", "gradlew? … (?:\\S*:)?publish(?!\\w*Local)\\w*", "(?:sbt|sbtx?) … \\S*publish(?!Local|M2)\\w*", "lein … deploy", "nuget push", "dotnet nuget push",
    "(?:flutter|dart) … pub publish", "mix … hex\\.publish", "rebar3 … hex publish", "pod … trunk push", "(?:vsce|ovsx|jsr|lerna|changeset|bun|deno|flit|maturin) -… (?:publish|unpublish)", "(?:semantic-release|np)",
    "release-it … --ci", "npm owner (?:add|rm)", "(?:luarocks|stack|conan|conda|anaconda) … upload", "cabal … upload … --publish", "python[\\d.]* setup\\.py … upload", "cargo … release … --execute", "cargo … workspaces publish", "goreleaser … release",
    "(?:docker|podman|nerdctl|buildah) (?:-\\S+ |image |manifest )*push(?= -… (?!localhost[:/]|127\\.0\\.0\\.1[:/])[^-])", "(?:docker|podman) … build … --push", "(?:skopeo|podman|buildah) … (?:copy|push) … docker://(?!localhost[:/]|127\\.0\\.0\\.1[:/])\\S+$", "(?:crane|oras|ctr|imgpkg|flux) … push", "(?:gh|glab|tea|hub) (?:release|repo) delete",
    "docker(?:-compose)? … compose … push", "docker-compose … push", "(?:docker|podman) … bake … --push", "(?:docker|podman) … build … (?:-o|--output)[ =]?\\S*(?:type=registry|push=true)\\S*", "docker … imagetools create", "crane (?:copy|cp|append|mutate)", "regctl … image (?:copy|cp)", "ko (?:build|apply|publish|resolve)", "pack … build … --publish", "gradlew? … (?:\\S*:)?(?:jib|uploadArchives|closeAnd\\w+)",
    "gradlew? … --publishImage", "mvnw? … jib:build", "dotnet publish … [-/]t:PublishContainer", "helm … cm-push", "nx … release(?: publish)?", "(?:maturin|snapcraft|twine|hf|huggingface-cli|fez) … upload", "kaggle … create", "gem … yank", "rake … release", "sbt … sonatype\\w*Release\\w*", "swift … package-registry publish", "pod … repo push",
    "(?:wapm|ansible-galaxy|poetry|uv|hatch|pdm|yarn|pnpm) … publish", "web-ext sign", "xcrun altool … --upload-app", "Rscript … -e \\S*devtools::(?:release|submit_cran)\\S*"] },
  { name: "install-url", reason: "code from an address is installed or run", lines: [
    `(?:rpm|yum|dnf|zypper|apt|apt-get|opkg|pacman|pkg|brew|snap|dpkg) … (?:${URL}|--dangerous)`, "apk … --allow-untrusted",
    `(?:docker|podman|buildah) … (?:build|bud|buildx) … (?:${URL}|git@\\S+)`, "docker plugin install", `docker(?:-compose)? … (?:-f|--file)[ =]${URL}`, `kubectl … (?:apply|create|replace) … (?:-f|-k|--filename|--kustomize)[ =]?(?:${URL}|github\\.com/\\S+)`,
    `helm … (?:install|upgrade|plugin install) … (?:${URL}|oci://\\S+)`, `istioctl … (?:-f|--filename)[ =]${URL}`, "nix … (?:run|shell|develop|build|profile install) … (?:github|gitlab|sourcehut|git\\+\\w+|https?|tarball):\\S+", `nix-(?:shell|build|env) … ${URL}`, `gradlew? … (?:-I|--init-script)[ =]?${URL}`,
    `yarn … plugin import ${URL}`, `brew … tap … ${URL}`, `pre-commit … try-repo … ${URL}`, `task … (?:-t|--taskfile)[ =]?${URL}`, `(?:dart|flutter) … pub global activate … (?:${URL}|git)`, `mix … archive\\.install … (?:git|github|${URL})`,
    `kustomize … build … (?:${URL}|github\\.com/\\S+|git@\\S+)`, `flatpak … install … ${URL}`, `cargo … install … --index[ =]${URL}`, `composer … --repository(?:-url)?[ =]\\S*?${URL}`, `dotnet … (?:-s|--source|--add-source|source|install)[ =]${URL}`, `gem … sources … ${URL}`, `deno … serve … ${URL}`, `deno … --(?:import-map|preload|import|config)[ =]${URL}`, "deno … eval … \\S*\\bimport\\b\\S*https?://\\S*",
    `easy_install … ${URL}`, "duckdb … \\S*(?:install|INSTALL)\\x1f[^;]*https?:\\S*", "php … (?:-d ?)?auto_(?:prepend|append)_file=(?:\\w+:|/|~|\\S*\\.\\.)\\S*"] },
  { name: "install-global", reason: "a program is installed for every project", lines: ["(?:code|code-insiders|cursor|codium|windsurf) … --install-extension", "composer … global (?:require|update)", "dotnet tool install … (?:-g|--global)", "mise … use … (?:-g|--global)"] },
  { name: "remote-package", reason: "it runs a package from an address", lines: [
    `(?:npm|pnpm|yarn|bun) (?:-\\S+ (?:[^ -]\\S* )?)*?(?:exec|x|dlx|init|create) ${OF_NPM}(?<! ${PLACE} )${PACKAGE}\\S*`, `(?:npm|pnpm|yarn|bun) (?:(?:exec|x|dlx|-\\S+) )*(?:-p|--package)[ =]${PACKAGE}\\S*`] },
  { ...SENDS_DATA, without: "(?:^| )(?:--dry-?run|-n)(?: |$)", lines: [
    `aws … s3 (?:cp|mv|sync)${UPLOAD}`, `s3cmd … (?:put|sync)${UPLOAD}`, `s5cmd … (?:cp|mv|sync)${UPLOAD}`, "aws … (?:s3api put-object|lambda update-function-code)",
    "(?:rclone|kubectl|oc) … (?:copy|cp|copyto|move|moveto|sync) … [^-\\s:]+ … [\\w./-]+:\\S*(?= -|$)"] },
  { ...SENDS_DATA, input: true, lines: ["openssl s_client … -connect[ =]?(?!localhost:|127\\.0\\.0\\.1:)\\S+", "(?:https?|xhs?) … (?!(?:https?://)?(?:localhost|127\\.0\\.0\\.1)?[:/])[\\w-]+\\.\\S+"] },
  { ...SENDS_DATA, lines: [`(?:gsutil|gcloud) … (?:cp|mv|rsync)${UPLOAD}`, "az … storage blob upload\\S*", "mc (?:cp|mv|mirror) … [^-\\s]\\S* … [\\w-]+/\\S+$", "(?:https?|xhs?) (?!(?:\\S+ )*(?:https?://)?(?:localhost|127\\.0\\.0\\.1)?[:/])\\S+ … (?:[\\w.\\[\\]-]+:?=(?!=)|(?:[\\w-]+:?=?)?@)\\S*", "(?:https?|xhs?) … (?:POST|PUT|PATCH) (?!(?:https?://)?(?:localhost|127\\.0\\.0\\.1)?[:/])\\S+", "(?:smbclient|rlogin|ncftp|psftp|pscp|plink|dbclient|swaks|sendemail|sshpass|autossh|ssh-copy-id|mosh|cancel)",
    "azcopy (?:cp|copy|sync) … https://\\S*(?= -|$)", "az … storage (?:file|fs) … upload\\S*", "b2 (?:upload-file|sync|file … upload)", "(?:linode-cli|oci|wrangler) … (?:bulk-)?put", "ossutil\\w* … (?:cp|sync) … oss://\\S*(?= -|$)", "ibmcloud … cos (?:object-put|upload)", "rclone … rcat", "(?:restic|rustic|borg|duplicity|kopia|unison) … (?:\\S*=|-r)?(?:ssh|s?ftp|scp|rsync|s3|b2|gs|azure|swift|rest|webdavs?):\\S+", "(?:rdiff-backup|borg) … [\\w@.-]+:(?:[:/]\\S*/\\S*|\\S+::\\S*)", "docker … (?:-H|--host)[ =]?(?:tcp|ssh)://(?!localhost[:/]|127\\.0\\.0\\.1[:/])\\S+", "tailscale … file cp", "(?:croc|wormhole) … send", "glab … snippet create", "git … imap-send", "mosquitto_pub … (?:-h|--host|-L|--url)[ =]?(?!localhost|127\\.)\\S+", "websocat … wss?://(?!localhost[:/]|127\\.0\\.0\\.1[:/])\\S*", "gnutls-cli",
    "curl … (?:gopher|telnet|dict|smtp|scp|sftp|tftp)://\\S*", "tftp … put", "elasticdump … --output=https?:\\S*", "gh (?:secret|variable) set", "gh gist edit", "gh repo create … --public", "gh api … gists … -[fF]", "gh (?:ssh-key|gpg-key|repo deploy-key) add", "gh codespace (?:ssh|cp)", "gh auth (?:login|refresh)",
    "(?:code|code-insiders|cursor) tunnel", "cloudflared … tunnel … (?:--url[ =](?:ssh|tcp|rdp|smb)://\\S*|run)", "ngrok (?:tcp|tls|start)", "gcloud … compute (?:ssh|scp)", "aws … ssm (?:start-session|send-command)", "heroku … run", "(?:fly|flyctl) … ssh", "kubectl … (?:port-forward|proxy) … --address[ =]0\\.0\\.0\\.0", "parallel (?:(?:-\\S+|\\d+%?) )*(?:-S|--sshlogin(?:file)?|--slf)"] },
  { name: "prints-secrets", reason: "it prints a token or a secret", lines: [
    "getent … g?shadow", "gcore", "aws … (?:iam create-access-key|ecr get-login-password)", "aws … ssm get-parameters? … --with-decryption", "(?:kubectl|oc) … get … (?:\\w+,)*[sS][eE][cC][rR][eE][tT][sS]?(?:[./,]\\S*)? … (?:-o|--output|--template)[ =]?(?!name|wide|jsonpath=\\{\\.(?:metadata|type))\\S+", "(?:kubectl|oc) … get … --raw[ =]?\\S*secrets?\\S*", "(?:kubectl|oc) … config view … --raw", "(?:kubectl|oc) … create token", "helm … get (?:all|manifest|values)", "kubectl … \\S*/run/secrets/\\S*",
    "az … (?:keys list|credential show|create-for-rbac|show-connection-string)", "(?:aws|gcloud|fly|flyctl|firebase|oci) … \\S*(?:get-\\S*token|generate-\\S*token|assume-role\\S*|login:ci|tokens create)(?= |$)", "aws … kms decrypt", "aws … codeartifact login", "heroku … pg:credentials:url", "glab … auth status … (?:-t|--show-token)", "kubectl … view-secret", "op … inject", "bw (?:list|unlock|export)", "security dump-keychain",
    "ansible-vault (?:decrypt|view)", "sops … exec-(?:env|file)", "(?:chamber|dotenvx|dotenv|doppler|infisical|teller|aws-vault|envchain|secrethub) … (?:env|printenv|export|get)", "akeyless get-secret-value", "conjur variable get", "buildkite-agent secret get", "docker-credential-\\S+ get", "rails … credentials:show", "php artisan … env:decrypt", "stripe … --print-secret", "snyk config get",
    "vault … (?:read|kv get|print token|token create)", "pass (?:show \\S+|[\\w.@-]+/\\S+$)", "(?:gopass|lpass) show", "security find-\\S+ … -[gw]", "keyring get", "secret-tool lookup", "op … (?:read|item get)", "bw get (?:password|item|totp)", "gpg2? … --export-secret-\\S+", "npm token create",
    "(?:curl|wget|http) … \\S*(?:169\\.254\\.169\\.254|metadata\\.google\\.internal)\\S*", "gcloud … secrets versions access", "az … keyvault secret show", "heroku … config(?::get)?", "(?:fly|flyctl|doctl|heroku) … auth[: ]token", "(?:doppler|infisical|chamber) … (?:secrets|export|read)", "sops … (?:-d|--decrypt|decrypt)", "ansible-vault … view", "pulumi … --show-secrets", "aws … configure get … \\S*(?:secret|token)\\S*", "railway … variables", "vercel … env pull", "netlify … env:(?:list|get)"] },
  { name: "isolation", reason: "it runs a command in a container with rights on this machine, or elsewhere", lines: [
    "kubectl … (?:run|create) … (?:--privileged|--overrides\\S*)", "kubectl … debug … nodes?[/ ]\\S+", "docker … (?:--volumes-from\\S*|--allow[ =]security\\.insecure)", "(?:docker|podman|nerdctl) … --(?:pid|ipc|userns|uts)[ =]host", "buildah … --isolation[ =]chroot", "openvt"] },
  { name: "kubectl-delete", reason: "resources are deleted", lines: ["kubectl … replace … --force", "kubectl … drain", "argocd app delete", "flux uninstall"] },
  { name: "terraform-destroy", reason: "what is managed is destroyed", without: DRY_RUN, lines: [
    `${SERVICES} … ${DESTROYS}`, "(?:gh|glab) (?!(?:repo|release) )\\S+ … delete", "gh repo archive", "(?:gh|glab|hub|tea) … api … -X=?DELETE", "pulumi … down", "skaffold … delete", "gh repo edit … --visibility\\S*", "vagrant … destroy", "heroku … pg:reset", "(?:vercel|sls|pulumi|consul|etcdctl|bq) … (?:remove|rm|del)(?= |$)", "nomad … -purge", "vault … secrets disable", "rabbitmqctl … reset", "terragrunt … destroy-all",
    "podman … system reset", "podman … pod (?:rm|prune)", "(?:docker|podman) … stack rm", "crictl … rmi", "kubectl … --prune", "aws … (?:schedule-key-deletion|purge-queue)", "(?:curl|https?|xhs?) … (?:-X ?|--request[ =])?DELETE(?= )(?!.*(?:localhost|127\\.0\\.0\\.1|0\\.0\\.0\\.0)[:/]).*",
    "hg … (?:purge|strip)", "hg … update … (?:-C|--clean)", "svn … revert", "azcopy remove", "svn … (?:delete|rm) … \\w+://\\S+", "(?:wipe|srm)", "(?:lvremove|vgremove|pvremove)", "(?:zpool|zfs) destroy", "btrfs subvolume delete"] },
  { name: "privilege", reason: "it changes the machine, or the rights of a user", lines: [
    "install … (?:-[a-z]*[og]|--owner|--group)[ =]?(?:root|\\+?0+)(?= |$)", "(?:gosu|su-exec|machinectl)", "setpriv … --re[ug]id\\S*", "(?:adduser|addgroup|deluser|delgroup|userdel|groupadd|groupdel|groupmod|chpasswd|newusers|vipw|vigr)", "telinit", "loginctl … (?:poweroff|reboot|halt|terminate-\\w+|kill-\\w+)",
    "sysctl … (?:-w|--write|-p|\\S+=\\S*)", "ufw (?!status)\\S+", "mount (?!-(?:l|t \\S+|h|V|-\\w+)$)\\S+", "umount … [^-]\\S*", "(?:ip|tc|bridge|nft|nmcli|resolvectl|ethtool|rfkill) … (?:-s|set|add|del|delete|flush|replace|change|modify|block|dns|up|down)", "(?:losetup|kexec|systemd-nspawn|dpkg-reconfigure) … \\S+", "ifconfig \\S+ (?:up|down|\\d\\S*|add|del)", "route … (?:add|del)", "(?:hostnamectl|timedatectl|localectl) … set-\\S+", "date … --?s\\S*", "hwclock … (?:-[ws]|--\\w+tosys|--systohc|--set)", "setenforce", "apparmor_parser", "aa-\\w+"] },
  { name: "persistence", reason: "a program starts later by itself", lines: [
    "update-rc\\.d", "chkconfig \\S+ \\S+", "rc-update (?:add|del\\w*)", "loginctl … enable-linger", "pm2 … startup", "brew services (?:start|restart)", "systemctl … (?:set|import)-environment", "fcrontab", "incrontab (?!-l)\\S+", "schtasks … /create", "defaults write"] },
  { name: "tool-config", reason: "settings can name programs that are run", lines: ["(?:claude|codex|gemini|cursor-agent|code) … (?:mcp add\\S*|--add-mcp)"] },
  { name: "drop-table", reason: "a table or a database is dropped", lines: [
    "(?:rails|rake) … db:(?:seed:replant|purge)", "php artisan … migrate:reset", "(?:python[\\d.]*|manage\\.py|django-admin) … flush", "(?:typeorm|dbmate|sqlx|diesel|migrate) … (?:\\w+:)?(?:drop|reset)(?= |$)", "dotnet … ef database drop",
    "sequelize(?:-cli)? … db:(?:drop|migrate:undo:all)", "mix … ecto\\.drop", "php artisan … db:wipe", "flyway … clean", "liquibase … (?:dropAll|drop-all)", "kafka-topics\\S* … --delete", "supabase … db reset … (?:--linked|--db-url)(?:=\\S*)?"] },
  { name: "runs-program", reason: "an option or a word runs another program", lines: [
    "hg … --config[ =](?!ui\\.(?:username|interactive|verbose|quiet)=)\\S+", "(?:pdf|lua|xe|e|up)?(?:la)?tex(?:mk)? … \\S*\\\\(?:immediate\\S*|write18|openout|openin|directlua|(?:verbatim)?input\\{?[/~])\\S*", "(?:tcpdump|dumpcap) … -z\\S*", "dnsmasq … --(?:conf|dhcp)-script\\S*", "sysctl … kernel\\.core_pattern=\\S*",
    "nmap … --script[ =]?\\S*[(]\\S*", "perlbug … -e", "xdg-user-dir \\S*[};]\\S*", "ranger … --cmd\\S*", "mvnw? … -Dexec\\.executable=(?!(?:echo|java)(?: |$))\\S+", "msbuild … [/-]p:(?:Pre|Post)BuildEvent=\\S*", "emacsclient … (?:-e|--eval)\\S*", "(?:chrom\\w+|google-chrome\\S*) … --(?:renderer|utility|gpu)-cmd-prefix\\S*",
    "elinks … -eval", "yt-dlp … --exec\\S*", "check_by_ssh … \\S*ProxyCommand\\S*", "fail2ban-client set", "(?:xdotool|ydotool) … (?:type|key)", "wtype", "wezterm cli (?:send-text|spawn)", "kitt(?:y|en) @ (?:launch|send-text)", "java … -XX:On\\w*Error=\\S*", "groff … -U", "(?:pic|troff) … -U", "ansible … -m ?(?:shell|command|raw|script)", "ansible \\S+(?= |$)(?!.* -m) … -a\\S*",
    "(?:apache2|httpd|apache2ctl) … -[cC]", "dosbox … -c", "rpm\\w* … (?:-E|--eval)[ =]?\\S*%(?:\\(|\\{lua:)\\S*", "puppet … apply … (?:-e|--execute)\\S*", "gimp … (?:-b|--batch)", "gnuplot … -e !\\S*", "composer … exec -… \\S*\\x1f\\S*"] },
  { name: "inline-code", reason: "code in its words can start programs, delete files or change settings", code: true, lines: [
    "(?:stap|dtrace) … -[en]\\S*", "(?:pylint|rake|latexmk|zx|kotlinc|mlr|jython) … (?:-e|--eval|--init-hook\\S*|put|filter)(?:=\\S*)?", "(?:yarn|pnpm) -… node … (?:-p?e|-p|--eval|--print)", "(?:nvm|volta) run … (?:-p?e|-p|--eval|--print)", "(?:rails|wp|drush|stack|crystal|sage|sqlmap|lein|sbt|mix|maxima|bpftrace|php) … (?:runner|r|tinker|\\S*eval\\S*|-[ceBR]\\S*|--e\\w+=\\S*|--batch-string\\S*|--run|--execute)", "clisp … -x"] },
];

/** Up to two words in front of a verb, as in `velero backup delete`. */
const VERB = "\\S+ -…(?: \\w[\\w:-]*){0,2} ";

/** Dangers of programs without a record, by what their subcommands are called. */
export const VERB_DANGERS: readonly DangerRule[] = [
  {
    name: "publishes",
    reason: "what is published cannot be taken back",
    without: DRY_RUN,
    lines: [`${VERB}(?:un)?publish`],
  },
  {
    ...SENDS_DATA,
    without: DRY_RUN,
    lines: [`${VERB}upload`, `(?!(?:.* )?(?:git|hg|bzr|jj|sl|darcs) )${VERB}push`],
  },
  {
    name: "terraform-destroy",
    reason: "what is managed is destroyed",
    without: "(?:^| )--(?:dry-?run(?:=(?!false)\\S+)?|help)(?: |$)",
    // Clusters of this machine are made again.
    lines: [`(?!(?:kind|k3d) )${VERB}${DESTROYS}`],
  },
  {
    name: "drop-table",
    reason: "a table or a database is dropped",
    words: "\\b(?:DROP|TRUNCATE)\\s+(?:TABLE|DATABASE|SCHEMA|KEYSPACE)\\b",
  },
];
