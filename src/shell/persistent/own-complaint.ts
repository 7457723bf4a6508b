/**
 * Whether what a shell printed outside of every command is its own complaint of what a command has
 * done to it: then it names what only the driver uses, a variable or a channel.
 */
export function isOwnComplaint(text: string): boolean {
  return text.includes("__sf_") || /\/proc\/\d+\/fd\/\d+: /.test(text);
}
