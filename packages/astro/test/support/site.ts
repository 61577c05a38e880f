import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { surface } from "../../../../conformance/surface.ts";
import { sample } from "../../../../test/thorough.ts";
import {
  createRepository,
  removeFolder,
  type TestRepository,
} from "../../../core/test/support/repository.ts";

/** The versions of Astro that are installed beside the package, by their names there. */
const INSTALLED = { 5: "astro-5", 6: "astro-6", 7: "astro" } as const;

/** A version of Astro. */
export type Version = keyof typeof INSTALLED;

/** The versions that are told apart by what they do. */
export const VERSIONS = sample<Version>([7, 5], 1);

/** For what shows at a glance whether the integration works: in the suite, the newest alone. */
export const EVERY_VERSION = sample<Version>([7, 6, 5], 1);

const PACKAGE = join(import.meta.dirname, "../..");
const MODULES = join(PACKAGE, "node_modules");

/** The address of every site, unless a test says otherwise. */
export const SITE = "https://moss.example/";

const { PATH = "", HOME = "" } = process.env;

/** A machine where nothing is configured. */
export const ENVIRONMENT = { PATH, HOME, ASTRO_TELEMETRY_DISABLED: "1", NO_COLOR: "1" };

/** What a command of Astro did. */
export interface Outcome {
  /** 0 when all went well. */
  readonly code: number;
  /** Everything it printed. */
  readonly output: string;
}

/** Parts of a configuration, as source text. */
export interface ConfigurationSource {
  /** Of the integration. */
  readonly options?: string;
  /** Integrations that stand after it. */
  readonly others?: string;
  readonly imports?: string;
  /** Further properties. */
  readonly more?: string;
}

/** An Astro project in a repository of its own; `using` removes both. */
export class AstroSite implements Disposable {
  readonly repository: TestRepository;
  /** The project's folder. */
  readonly root: string;
  readonly #program: string;

  /** @param below the project's folder in the repository, with a slash */
  constructor(version: Version = 7, below = "", repository = createRepository()) {
    this.#program = join(MODULES, INSTALLED[version], version === 5 ? "astro.js" : "bin/astro.mjs");
    this.repository = repository;
    this.root = join(repository.root, below);
    this.write(".gitignore", "node_modules/\ndist/\n.astro/\n");
    this.write("package.json", '{ "name": "site", "type": "module" }\n');
    linkPackages(this.root, version);
  }

  [Symbol.dispose](): void {
    this.repository[Symbol.dispose]();
  }

  path(...parts: string[]): string {
    return join(this.root, ...parts);
  }

  write(path: string, contents: string | Uint8Array): this {
    this.repository.write(this.path(path), contents);
    return this;
  }

  read(path: string): string {
    return readFileSync(this.path(path), "utf8");
  }

  /** Writes the project's configuration: Astro's, and what is no JSON as source text. */
  configure(
    config: Readonly<Record<string, unknown>> = {},
    { options = "{}", others = "", imports = "", more = "" }: ConfigurationSource = {},
  ): this {
    const given = JSON.stringify({ site: SITE, ...config });
    return this.write(
      "astro.config.mjs",
      `import rsEmit from "@rs-emit/astro";
${imports}
export default { ...${given}, integrations: [rsEmit(${options}), ${others}], ${more} };
`,
    );
  }

  /** Leaves nothing of earlier builds. */
  clear(): this {
    removeFolder(this.path("dist"));
    removeFolder(this.path("node_modules/.astro"));
    return this;
  }

  /** Builds the site. */
  build(variables: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    surface("plugin");
    return this.run(["build"], variables);
  }

  /** Serves the site while something looks at it. */
  async serve(command: "dev" | "preview", look: (address: string) => Promise<void>): Promise<void> {
    const args = [this.#program, command, "--port", "0", "--host", "127.0.0.1"];
    const server = spawn(process.execPath, args, { cwd: this.root, env: ENVIRONMENT });
    try {
      await look(await addressIn(server.stdout));
    } finally {
      server.kill();
      await once(server, "exit");
    }
  }

  /** Runs a command of Astro on a machine where nothing is configured. */
  run(args: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    const env = { ...ENVIRONMENT, ...variables };
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        [this.#program, ...args],
        { cwd: this.root, env, encoding: "utf8" },
        (error, stdout, stderr) => {
          resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr });
        },
      );
    });
  }
}

/** Puts links to Astro and the integration into a site's `node_modules`. */
export function linkPackages(root: string, version: Version): void {
  const modules = join(root, "node_modules");
  mkdirSync(join(modules, "@rs-emit"), { recursive: true });
  symlinkSync(join(MODULES, INSTALLED[version]), join(modules, "astro"));
  symlinkSync(PACKAGE, join(modules, "@rs-emit/astro"));
}

/** The address that a server prints when it is ready. What it prints later is read too, lest it stall. */
function addressIn(output: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    output.on("data", (chunk) => {
      text += String(chunk);
      const address = /http:\/\/127\.0\.0\.1:\d+\//.exec(text)?.[0];
      if (address !== undefined) resolve(address);
    });
    output.on("end", () => reject(new Error(`No server: ${text}`)));
  });
}
