import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeOf } from "./support/documented.ts";
import { withoutNpm } from "./support/environment.ts";
import { Forge } from "./support/forge.ts";
import { packAll } from "./support/packed.ts";
import { Registry } from "./support/registry.ts";
import { sample } from "./thorough.ts";

const WORKSPACE = resolve(import.meta.dirname, "..");
const ROOT = mkdtempSync(join(tmpdir(), "rs-emit-starters-"));

let registry: Registry;
beforeAll(async () => {
  registry = await Registry.start(await packAll());
});
afterAll(async () => {
  await registry?.[Symbol.asyncDispose]();
  rmSync(ROOT, { recursive: true, force: true, maxRetries: 3 });
});

/** The examples, and where each has its log. */
const EXAMPLES = [
  { example: "handmade", log: "site/moss-shrine" },
  { example: "astro", log: "dist" },
  { example: "eleventy", log: "_site" },
] as const;

/** The copies that are also built: the builders come from the registry of npm. */
const BUILT: readonly string[] = sample(EXAMPLES, 1).map(({ example }) => example);

/** What is packed, and no program of this workspace. */
async function run(command: string, cwd: string, forge: Forge): Promise<void> {
  const outside = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((one) => !/node_modules/.test(one));
  const env = {
    ...withoutNpm(process.env),
    PATH: [dirname(process.execPath), ...outside].join(delimiter),
    npm_config_registry: registry.url,
    npm_config_cache: join(ROOT, "npm-cache"),
    XDG_CACHE_HOME: join(ROOT, "cache"),
    GIGET_GITHUB_URL: forge.url,
    GIT_CEILING_DIRECTORIES: ROOT,
    ASTRO_TELEMETRY_DISABLED: "1",
  };
  await promisify(execFile)("bash", ["-ec", command], { cwd, env, maxBuffer: 64_000_000 });
}

function tracked(folder: string): string[] {
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: folder, encoding: "utf8" });
  return listed.split("\0").filter((file) => file !== "");
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

describe("each example is copied by one command, and is a site", () => {
  // giget comes from the registry of npm: the network may fail once.
  test.each(EXAMPLES)("examples/$example", { retry: 1 }, async ({ example, log }) => {
    const [script = ""] = codeOf(`examples/${example}/README.md: Begin with a copy`, "sh");
    const [copy = "", ...rest] = script.trim().split("\n");
    const [, repository, ref] = /gh:([\w.-]+\/[\w.-]+)\/\S+#(\S+)/.exec(copy) ?? [];
    const folder = mkdtempSync(join(ROOT, "home-"));
    await using forge = await new Forge(WORKSPACE, `/repos/${repository}/tarball/${ref}`).start();
    await run(copy, folder, forge);
    expect(forge.asked.length).toBeGreaterThan(0);

    const site = join(folder, basename(copy.split(" ").at(-1) ?? ""));
    const original = join(WORKSPACE, "examples", example);
    expect(filesIn(site).toSorted()).toEqual(tracked(original).toSorted());
    for (const file of filesIn(site)) {
      expect(readFileSync(join(site, file)).equals(readFileSync(join(original, file)))).toBe(true);
    }

    if (!BUILT.includes(example)) return;
    await run(rest.join("\n"), folder, forge);
    expect(readFileSync(join(site, log, "changes.atom"), "utf8")).toContain("</feed>");
    expect(existsSync(join(site, log.split("/")[0] ?? "", ".well-known/resourcesync"))).toBe(true);
  });

  test("the copies are those of the version that their packages have", async () => {
    const version = (await packAll()).get("rs-emit")?.manifest.version;
    for (const { example } of EXAMPLES) {
      const [script = ""] = codeOf(`examples/${example}/README.md: Begin with a copy`, "sh");
      expect(/#(\S+)/.exec(script)?.[1]).toBe(`v${version}`);
    }
  });
});
