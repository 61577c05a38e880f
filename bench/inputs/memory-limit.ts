import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where groups of processes are limited, by version 2 of the kernel's interface and by version 1. */
const PLACES = [
  { root: "/sys/fs/cgroup", sign: "cgroup.controllers", limit: "memory.max" },
  { root: "/sys/fs/cgroup/memory", sign: "tasks", limit: "memory.limit_in_bytes" },
] as const;

/** A limit on the memory of a process and those it starts, where this machine lets one be set. */
export class MemoryLimit implements Disposable {
  readonly #group: string | undefined;

  private constructor(group: string | undefined) {
    this.#group = group;
  }

  static of(mebibytes: number): MemoryLimit {
    for (const { root, sign, limit } of PLACES) {
      if (!existsSync(join(root, sign))) continue;
      const group = join(root, `rs-bench-${process.pid}`);
      try {
        mkdirSync(group);
        writeFileSync(join(group, limit), String(mebibytes * 2 ** 20));
        return new MemoryLimit(group);
      } catch {
        if (existsSync(group)) rmdirSync(group);
      }
    }
    return new MemoryLimit(undefined);
  }

  get isSet(): boolean {
    return this.#group !== undefined;
  }

  /** The command that runs another one within the limit. */
  within(command: readonly string[]): readonly string[] {
    if (this.#group === undefined) return command;
    const script = 'echo $$ > "$0"/cgroup.procs && exec "$@"';
    return ["sh", "-c", script, this.#group, ...command];
  }

  /** Once its processes have ended. */
  [Symbol.dispose](): void {
    if (this.#group !== undefined) rmdirSync(this.#group);
  }
}
