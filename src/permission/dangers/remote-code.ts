import { isInterpreter } from "./interpreters.ts";
import type { Words } from "../words.ts";
import type { Danger, Inspected } from "./danger.ts";

/** Code that comes from elsewhere, and data that goes there. */
export function remoteCode({ name, args, command }: Inspected): readonly Danger[] {
  const dangers: Danger[] = [];
  const danger = (id: string, reason: string, unless?: Danger["unless"]) => {
    dangers.push({ name: id, reason, ...(unless !== undefined && { unless }) });
  };
  if (isInterpreter(name) && command.input === "pipe") {
    danger("pipe-to-interpreter", `"${name}" runs what comes through a pipe`);
  }
  if (
    /^pip\d*(?:\.\d+)?$/.test(name) &&
    args.some((arg) => arg !== null && /^(?:git\+|https?:)/.test(arg))
  ) {
    danger("install-url", `"${name}" installs code from an address`);
  }
  if (/^(?:npm|pnpm|yarn|bun)$/.test(name)) {
    if (args.some((arg) => arg === "-g" || arg === "--global" || arg === "global")) {
      danger("install-global", `"${name}" installs programs for every project`);
    }
  }
  if (
    name === "go" && args[0] === "run" &&
    args.some((arg) => arg !== null && /^[\w.-]+\.\w+\/.*@/.test(arg))
  ) {
    danger("go-run-url", '"go run" runs code from an address');
  }
  dangers.push(...sendsAway(name, args));
  return dangers;
}

function sendsAway(name: string, args: Words): readonly Danger[] {
  const reason = (what: string): Danger[] => [{ name: "sends-data", reason: what }];
  const has = (test: (arg: string) => boolean) => args.some((arg) => arg !== null && test(arg));
  switch (name) {
    case "nc":
    case "ncat":
    case "netcat":
    case "socat":
    case "telnet":
    case "sftp":
    case "ftp":
      return reason(`"${name}" connects to another machine`);
    case "scp":
    case "rsync":
      return has((arg) => /^(?!-)[^/]*:/.test(arg))
        ? reason(`"${name}" copies to or from another machine`)
        : [];
    case "curl":
      return has((arg) =>
          /^(?:-[A-Za-z]*[TFdK]|--upload-file|--form|--data(?:-\w+)?|--config|--json)(?:=|@|$)/
            .test(arg) ||
          /^-[dF].*@/.test(arg)
        ) || has((arg) => arg.startsWith("file:") || arg.startsWith("@"))
        ? reason('"curl" sends data or reads files')
        : [];
    case "wget":
      return has((arg) => /^--(?:post|body|use-askpass|execute|method)|^-e/.test(arg))
        ? reason('"wget" sends data or takes settings')
        : [];
    case "gh":
      return args[0] === "gist" && args[1] === "create" ? reason('"gh" publishes a file') : [];
    case "dig":
    case "nslookup":
    case "host":
      return args.includes(null) ? reason(`"${name}" asks for a name known only at run time`) : [];
    case "env":
    case "printenv":
      return args.length === 0 || name === "printenv"
        ? [{ name: "prints-secrets", reason: `"${name}" prints the environment` }]
        : [];
    default:
      return [];
  }
}
