import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { ROOT } from "./root.ts";

const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, ROOT), "utf8"));

interface NpmManifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface DenoManifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly imports: Readonly<Record<string, string>>;
}

const npm = read("package.json") as NpmManifest;
const deno = read("deno.json") as DenoManifest;
const lock = readFileSync(new URL("package-lock.json", ROOT), "utf8");

describe("package.json and deno.json", () => {
  it("name the same package", () => {
    assert.equal(deno.name.split("/").at(-1), npm.name);
    assert.equal(deno.version, npm.version);
    assert.equal(deno.license, npm.license);
  });

  it("have the same entry points", () => {
    assert.deepEqual(Object.keys(deno.exports), Object.keys(npm.exports));
    for (const [name, path] of Object.entries(deno.exports)) {
      const [, stem] = path.match(/^\.\/src\/(.+)\.ts$/) ?? [];
      const built = { types: `./dist/types/${stem}.d.ts`, default: `./dist/${stem}.js` };
      assert.deepEqual(npm.exports[name], built);
    }
  });

  it("ask for the same ranges of the same packages", () => {
    const wanted: Readonly<Record<string, string>> = {
      ...npm.devDependencies,
      ...npm.optionalDependencies,
      ...npm.dependencies,
    };
    const imported = new Map<string, string>();
    for (const target of Object.values(deno.imports)) {
      const [, name, range] = target.match(/^npm:((?:@[^/]+\/)?[^@/]+)@([^/]+)/) ?? [];
      if (name !== undefined && range !== undefined) imported.set(name, range);
    }
    for (const [name, range] of imported) assert.equal(wanted[name], range, name);
    for (const name of Object.keys(npm.dependencies)) assert.ok(imported.has(name), name);
  });
});

describe("package-lock.json", () => {
  it("names no registry", () => {
    assert.doesNotMatch(lock, /"resolved"|https?:\/\/registry/);
  });

  it("belongs to this version of package.json", () => {
    const { version, packages } = JSON.parse(lock) as {
      readonly version: string;
      readonly packages: Readonly<Record<string, NpmManifest>>;
    };
    const { dependencies, devDependencies, optionalDependencies } = npm;
    assert.equal(version, npm.version);
    assert.deepEqual(packages[""]?.dependencies, dependencies);
    assert.deepEqual(packages[""]?.devDependencies, devDependencies);
    assert.deepEqual(packages[""]?.optionalDependencies, optionalDependencies);
  });
});
