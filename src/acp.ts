/**
 * Run commands in the terminals of a client of the Agent Client Protocol (ACP), such as an editor.
 *
 * @module
 */
export { acpTerminals, type AcpTerminalsOptions } from "./integration/acp/acp-terminals.ts";
export type {
  ClientTerminal,
  ClientTerminals,
  CreateTerminalParams,
  TerminalExit,
  TerminalSnapshot,
} from "./integration/acp/client-terminals.ts";
