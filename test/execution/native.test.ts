import { nativeCalls } from "../../src/native.ts";
import { contract } from "./contract.ts";
import { processSubject } from "./process-subject.ts";

contract("the process executor with native calls", processSubject(await nativeCalls()), {
  atOnce: 200,
});
