import { contract } from "../contract.ts";
import { terminalSubject } from "./terminal-subject.ts";

contract("the terminal executor", terminalSubject, { atOnce: 20, terminal: true });
