import type { CommandId } from "../../event/command.ts";
import { fromCurrentDirectory } from "../../platform/environment/environment.ts";
import { absolutePath, systemPaths } from "../../platform/file/paths.ts";
import { makePrivateDirectory } from "../../platform/file/private-directory.ts";
import { writePrivateFile } from "../../platform/file/trusted-file.ts";
import { removeAtExit, uniqueTemporaryPath } from "../../platform/file/temporary.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { maskedOutput } from "../../runtime/output/masked-output.ts";
import { blocks } from "../../text/source/blocks.ts";
import type { ByteSource } from "../../text/source/source.ts";

/** Files of the tools of one runtime, in a directory that is made with the first. */
export class ToolFiles {
  readonly #runtime: Runtime;
  readonly #given: string | undefined;
  #directory: string | undefined;
  /** The artifacts that are being written: a command may name one several times. */
  readonly #writing = new Map<CommandId, Promise<string>>();

  /** @param given Where they are; absent: in a temporary directory that goes with the runtime. */
  constructor(runtime: Runtime, given: string | undefined) {
    this.#runtime = runtime;
    this.#given = given === undefined ? undefined : real(fromCurrentDirectory(given));
  }

  /** The path of a file, with its directories made. */
  local(name: string): string {
    const path = absolutePath(this.#root(), `local/${name}`);
    const directory = absolutePath(path, "..");
    if (real(directory) !== directory) throw new Error(`a link leads out of "${this.#root()}"`);
    makePrivateDirectory(directory);
    return path;
  }

  /** The path of a file with all output of a task, which is written unless there is one. */
  artifact(taskId: CommandId): Promise<string> {
    const writing = this.#writing.get(taskId) ??
      this.#write(taskId).finally(() => this.#writing.delete(taskId));
    this.#writing.set(taskId, writing);
    return writing;
  }

  async #write(taskId: CommandId): Promise<string> {
    const source = await maskedOutput(this.#runtime, taskId);
    if (source.artifact !== undefined && source.artifact.bytes >= source.total) {
      await this.#runtime.output(taskId)?.flushed();
      return source.artifact.path;
    }
    const path = absolutePath(this.#root(), `artifact/${taskId}.out`);
    await writePrivateFile(path, pieces(source));
    return path;
  }

  #root(): string {
    if (this.#directory !== undefined) return this.#directory;
    if (this.#given !== undefined) return this.#directory = this.#given;
    const temporary = uniqueTemporaryPath("shellflow-tools");
    const keepAfterExit = removeAtExit(temporary.path);
    this.#runtime.events.subscribe({
      complete: () => {
        keepAfterExit();
        temporary.remove();
      },
    });
    return this.#directory = real(temporary.path);
  }
}

/** A path without links, as far as it exists: a later one in its way is none of ours. */
function real(path: string): string {
  return systemPaths.real(path) ?? path;
}

/** The bytes of an output that still exist, in order, with a line in the place of those that do not. */
async function* pieces(source: ByteSource): AsyncIterable<Uint8Array> {
  for await (const { bytes, from, to } of blocks(source, { from: 0, to: source.total })) {
    yield bytes ?? new TextEncoder().encode(`\n[bytes ${from} to ${to} are lost]\n`);
  }
}
