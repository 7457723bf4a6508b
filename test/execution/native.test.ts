import { loadNativeCalls } from "../../src/platform/native/load-native-calls.ts";
import { contract } from "./contract.ts";
import { sized } from "../sized.ts";
import { processSubject } from "./process-subject.ts";

contract("the process executor with native calls", processSubject(await loadNativeCalls()), {
  atOnce: sized(20, 200),
});
