/**
 * Whether what a shell printed outside of every command is its own complaint of what a command has
 * done to it: then it names what only the driver uses, a variable or a channel.
 */
export function isOwnComplaint(text: string): boolean {
  return text.includes("__sf_") || /\/proc\/\d+\/fd\/\d+: /.test(text);
}

/** Stands in the complaint of a shell that could not report, before the code of its last command. */
export const ENDED_WITH = "its command ended with ";

/** The code of a command after which a shell could do no more than complain. */
export function complainedCode(text: string): number | undefined {
  const code = new RegExp(`: __sf_\\w+: ${ENDED_WITH}(\\d{1,3})\\n`).exec(text)?.[1];
  return code === undefined ? undefined : Number(code);
}
