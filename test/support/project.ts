import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { withoutNpm } from "./environment.ts";
import { writeNpx } from "./steps.ts";

/** A project in git. In it `npx` runs the command of this repository, and the builders that are installed there. */
export class Project {
  readonly folder: string;
  readonly #tools: string;

  /**
   * @param root an empty folder is made in it
   * @param ignored the text of `.gitignore`
   */
  constructor(root: string, ignored: string) {
    this.folder = mkdtempSync(join(root, "site-"));
    this.#tools = mkdtempSync(join(root, "tools-"));
    writeNpx(this.#tools);
    this.#git(["init", "--quiet", "--initial-branch=main"], "2026-01-01T00:00:00Z");
    this.write({ ".gitignore": ignored });
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true });
      writeFileSync(join(this.folder, path), text);
    }
  }

  commit(date: string): void {
    this.#git(["add", "--all"], date);
    this.#git(["commit", "--quiet", "--message", "Edit"], date);
  }

  /** Runs commands as they are pasted; the first that fails ends them. */
  async run(script: string, extra: NodeJS.ProcessEnv = {}): Promise<string> {
    const path = `${this.#tools}:${process.env.PATH}`;
    const env = { ...withoutNpm(process.env), PATH: path, CI: "", ...extra };
    const options = { cwd: this.folder, env, maxBuffer: 64_000_000 };
    const { stdout } = await promisify(execFile)("bash", ["-ec", script], options);
    return stdout;
  }

  #git(args: readonly string[], date: string): void {
    const config = { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_SYSTEM: devNull };
    const names = { GIT_AUTHOR_NAME: "Ada", GIT_COMMITTER_NAME: "Ada" };
    const mails = { GIT_AUTHOR_EMAIL: "a@example.org", GIT_COMMITTER_EMAIL: "a@example.org" };
    const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    const env = { ...process.env, ...config, ...names, ...mails, ...dates };
    execFileSync("git", args, { cwd: this.folder, env });
  }
}
