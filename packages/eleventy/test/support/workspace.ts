import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { surface } from "../../../../conformance/surface.ts";
import { sample } from "../../../../test/thorough.ts";
import { runGit, TestRepository } from "../../../core/test/support/repository.ts";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));

/** The folder of the plugin's own source files. */
export const SOURCES = join(PACKAGE, "src");

/** The versions of Eleventy that are tested. */
export type Version = 3 | 4;
export const EVERY_VERSION: readonly Version[] = [3, 4];

/** Of these, the ones that all tests try. */
export const VERSIONS = sample(EVERY_VERSION, 1);

/** Where a version of Eleventy is installed. */
export function installed(version: Version): string {
  return join(PACKAGE, "node_modules", version === 3 ? "@11ty/eleventy" : "eleventy-4");
}

/** What a run of the command said. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * A temporary folder below which the plugin is installed, and a git repository of an Eleventy site in
 * it. `using` removes it at the end of the block.
 */
export class Workspace implements Disposable {
  readonly folder: string;
  readonly site: TestRepository;
  readonly version: Version;

  constructor(version: Version = 3) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), "rs-emit-eleventy-")));
    this.version = version;
    this.#install("@rs-emit/eleventy", PACKAGE);
    this.#install("@11ty/eleventy", installed(version));
    const root = this.path("site");
    mkdirSync(root);
    runGit(root, ["init", "--quiet", "--initial-branch=main"]);
    this.site = new TestRepository(root, this.folder);
    this.site.write("package.json", '{ "type": "module" }').write(".gitignore", "_site\n_truth\n");
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  path(...parts: string[]): string {
    return join(this.folder, ...parts);
  }

  write(path: string, contents: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), contents);
  }

  /**
   * Writes the site's configuration, with the plugin in it.
   *
   * @param options as they stand in the file
   * @param statements before the plugin is added
   */
  configure(options: string, statements = "", after = ""): this {
    const config = `import rsEmit from "@rs-emit/eleventy";
export default function (eleventyConfig) {
  ${statements}
  eleventyConfig.addPlugin(rsEmit, ${options});
  ${after}
}
`;
    this.site.write("eleventy.config.js", config);
    return this;
  }

  /** Whether a change log stands in the output folder. */
  isPublished(): boolean {
    return existsSync(this.site.path("_site/changelist.xml"));
  }

  /** Runs `eleventy` in the site's folder, or another, as a machine does that sets no variable. */
  async eleventy(
    args: readonly string[] = [],
    variables: Readonly<Record<string, string>> = {},
    folder = this.site.root,
    node = process.execPath,
  ): Promise<Ran> {
    surface("plugin");
    return run(folder, [join(installed(this.version), "cmd.cjs"), ...args], variables, node);
  }

  #install(name: string, from: string): void {
    const link = this.path("node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(from, link);
  }
}

/** Runs a program of Node's. */
export function run(
  folder: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  node = process.execPath,
): Promise<Ran> {
  const env = { ...cleanVariables(), ...variables };
  const child = spawn(node, args, {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.err += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? -1, ...said }));
  });
}

/** The environment of a machine on which nobody set anything. */
export function cleanVariables(): Record<string, string> {
  const { PATH = "", HOME = "" } = process.env;
  return { PATH, HOME, TZ: "UTC", NO_COLOR: "1" };
}
