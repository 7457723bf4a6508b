import { acpTerminals } from "../../../src/acp.ts";
import { contract } from "../../execution/contract.ts";
import { bash, drive } from "../../execution/drive.ts";
import { startClient } from "./client.ts";

contract("one for terminals of a client", ({ clock } = {}) => {
  const { agent } = startClient();
  const options = { sessionId: "s1", pollMs: 20, ...(clock && { clock }) };
  const executor = acpTerminals(agent.client, options);
  return {
    executor,
    run: (command, limits, { file = "bash", onEvent } = {}) =>
      drive(executor, { ...bash(command, limits), file }, onEvent),
  };
}, { atOnce: 50, elsewhere: true, ending: ["terminal/kill"] });
