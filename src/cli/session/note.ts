import type { RunNews } from "../../runtime/control/guest/run-protocol.ts";

/** What a person has to know about the session that a command runs in. */
export function noteOn(news: RunNews, name: string): string | undefined {
  if (news.type === "reset") {
    return `The shell of session "${name}" is a new one: ${lowered(news.reason)}; ` +
      `lost are its ${news.lost.join(", ")}`;
  }
  if (news.type !== "session") return undefined;
  const { began, cwd, earlierCwd } = news;
  if (began === "anew") {
    return `Session "${name}" begins anew in ${cwd}; --resume ${name} would have gone on in ${earlierCwd}`;
  }
  if (began !== "resumed") return undefined;
  const why = cwd === earlierCwd ? "" : `, as ${earlierCwd} is not there any more`;
  return `Session "${name}" goes on in ${cwd}${why}`;
}

function lowered(reason: string): string {
  return reason.slice(0, 1).toLowerCase() + reason.slice(1);
}
