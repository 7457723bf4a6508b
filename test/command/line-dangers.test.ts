import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dangerNames } from "../../src/command/program/dangers.ts";
import { inspect } from "../../src/command/program/inspect.ts";
import { BUILT_IN } from "../../src/command/program/programs.ts";
import { LINE_DANGERS } from "../../src/command/program/records/lines.ts";

const lineDangers = (...words: readonly string[]) =>
  inspect(words, BUILT_IN, {}).facts.dangers ?? [];
const found = (line: string) => lineDangers(...line.split(" "));

describe("dangers of whole lines", () => {
  it("have names that a policy can accept", () => {
    const known = dangerNames(BUILT_IN);
    const others = LINE_DANGERS.map(({ name }) => name).filter((name) => !known.includes(name));
    assert.deepEqual(others, []);
  });

  it("begin with the names of programs, without a blank", () => {
    const broken = LINE_DANGERS.flatMap(({ lines = [] }) => lines).filter((line) => {
      const [name = ""] = line.split(" ", 1);
      return (name.match(/\(/g)?.length ?? 0) !== (name.match(/\)/g)?.length ?? 0);
    });
    assert.deepEqual(broken, []);
  });

  it("are found behind options, and name the words that make them one", () => {
    assert.deepEqual(found("gradlew clean :lib:publish --info"), [{
      name: "publishes",
      reason: "what is published cannot be taken back",
      words: ["gradlew", "clean", ":lib:publish"],
    }]);
    assert.deepEqual(found("docker push -q acme/app").map(({ words }) => words), [[
      "docker",
      "push",
    ]]);
  });

  it("of a subcommand are found behind an option that is not known, which may have a value", () => {
    const named = (line: string) => found(line).map(({ name }) => name);
    assert.deepEqual(named("helm -n prod uninstall web"), ["terraform-destroy"]);
    assert.deepEqual(named("helm -n prod del web"), ["terraform-destroy"]);
    assert.deepEqual(named("cargo --color never publish"), ["publishes"]);
    assert.deepEqual(named("npm --other x publ"), ["publishes"]);
    assert.deepEqual(named("cargo test --color never publish"), []);
  });

  it("are those of a program without a record by what its subcommand is called", () => {
    const named = (line: string) => found(line).map(({ name }) => name);
    assert.deepEqual(named("eksctl delete cluster --name dev"), ["terraform-destroy"]);
    assert.deepEqual(found("velero backup delete b1").map(({ words }) => words), [[
      "velero",
      "backup",
      "delete",
    ]]);
    assert.deepEqual(named("elm publish"), ["publishes"]);
    assert.deepEqual(named("choco push x.nupkg"), ["sends-data"]);
    assert.deepEqual(named("knife cookbook upload app"), ["sends-data"]);
    const others = ["eksctl delete x --dry-run", "hg push", "./app delete x", "mytool x y z push"];
    for (const line of others) assert.deepEqual(named(line), [], line);
  });

  it("are those of a program without a record that gets an input and names another machine", () => {
    const sends = (line: string, from?: "file") =>
      inspect(line.split(" "), BUILT_IN, from ? { from } : {}).facts.dangers !== undefined;
    assert.equal(sends("producer --server=broker.example.com:9092", "file"), true);
    assert.equal(sends("producer nats://x.example.com logs", "file"), true);
    assert.equal(sends("producer nats://x.example.com logs"), false);
    assert.equal(sends("producer --server localhost:9092", "file"), false);
  });

  it("are none of a dry run", () => {
    assert.deepEqual(found("vsce publish --dry-run"), []);
    assert.deepEqual(found("goreleaser release --snapshot"), []);
  });

  it("look at code only where it starts programs", () => {
    const run = (code: string) => lineDangers("rails", "runner", code).map(({ name }) => name);
    assert.deepEqual(run("puts User.count"), []);
    assert.deepEqual(run("system('id')"), ["inline-code"]);
  });

  it("take no long time over hostile words", () => {
    const words = Array.from({ length: 1_000 }, () => ["get", "secret"]).flat();
    const from = performance.now();
    lineDangers("kubectl", ...words);
    assert.ok(performance.now() - from < 1_000);
  });
});
