import { execFile, execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/** What a program in a container, or podman itself, left behind. */
export interface PodmanOutcome {
  readonly exit: number;
  readonly output: string;
}

/** What a container may not do in these tests: write outside its volumes, and what only root may. */
const CONFINED = ["--read-only", "--read-only-tmpfs=false", "--cap-drop=all", "--network=none"];

/** Limits that may be set without a right of their own. */
const LIMITS = ["--ulimit=nofile=1024:1024", "--ulimit=nproc=4096:4096"];

/** Images and containers in a folder of their own, by podman and without a network. */
export class Podman implements AsyncDisposable {
  /** On a disk, since images are large, and with a short name, since podman asks for one. */
  readonly #folder = mkdtempSync("/var/tmp/podman-");
  readonly #options = [
    ...["--root", join(this.#folder, "images"), "--runroot", join(this.#folder, "run")],
    ...["--storage-driver=vfs", "--runtime=runc", "--cgroup-manager=cgroupfs"],
  ];

  /** Whether this machine has what it needs. */
  static isThere(): boolean {
    const programs = ["podman", "runc", "ldd"];
    return (
      process.getuid?.() === 0 && programs.every((one) => !spawnSync(one, ["--version"]).error)
    );
  }

  /** Builds an image from a file and the folder that it copies from. */
  async build(name: string, file: string, context: string, ...args: string[]): Promise<void> {
    const options = ["--isolation=chroot", "--format=docker", "--pull-never", "--layers=false"];
    const { exit, output } = await this.run(
      "build",
      ...options,
      ...args,
      `--tag=${name}`,
      "--file",
      file,
      context,
    );
    if (exit !== 0) throw new Error(output);
  }

  /**
   * Builds an image as those of distroless are: Node in `/nodejs/bin`, the libraries that it needs, and
   * nothing else. Node and libraries are those of this machine.
   */
  async buildNode(name: string): Promise<void> {
    const context = join(this.#folder, name);
    const linked = execFileSync("ldd", [process.execPath], { encoding: "utf8" });
    const libraries = linked.match(/\/\S+/g) ?? [];
    for (const [from, to] of [
      [process.execPath, "/nodejs/bin/node"] as const,
      ...libraries.map((library) => [library, library] as const),
    ]) {
      mkdirSync(join(context, dirname(to)), { recursive: true });
      copyFileSync(from, join(context, to));
    }
    const file = join(this.#folder, `${name}.containerfile`);
    writeFileSync(file, "FROM scratch\nCOPY . /\n");
    await this.build(name, file, context);
  }

  /** Starts a container in the background, confined. */
  start(name: string, image: string, words: readonly string[], ...options: string[]) {
    const detached = ["--detach", `--name=${name}`, ...CONFINED, ...LIMITS, ...options];
    return this.run("run", ...detached, image, ...words);
  }

  /** Runs a program of JavaScript in a container that was started. */
  evaluate(name: string, program: string): Promise<PodmanOutcome> {
    return this.run("exec", name, "/nodejs/bin/node", "--eval", program);
  }

  /** Runs a command of podman. Without systemd it says, on standard error, that it has no timers. */
  async run(...args: readonly string[]): Promise<PodmanOutcome> {
    try {
      const { stdout } = await promisify(execFile)("podman", [...this.#options, ...args]);
      return { exit: 0, output: stdout };
    } catch (error) {
      if (!(error instanceof Error && "code" in error && "stderr" in error)) throw error;
      return { exit: Number(error.code), output: String(error.stderr) };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.run("rm", "--all", "--force", "--volumes");
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
