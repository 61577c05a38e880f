import { execFile, execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { devNull, tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findSystemNode } from "../packages/core/test/support/system-node.ts";
import { GitHubPages } from "./hosts/pages.ts";
import { codeOf } from "./support/documented.ts";
import { withoutNpm } from "./support/environment.ts";
import { type Manifest, packAll } from "./support/packed.ts";
import { Registry } from "./support/registry.ts";
import { sample } from "./thorough.ts";

const README = readFileSync(resolve(import.meta.dirname, "../README.md"), "utf8");
const PACKAGES = resolve(import.meta.dirname, "../packages");
const ROOT = mkdtempSync(join(tmpdir(), "rs-emit-first-steps-"));

const { version: ELEVENTY }: { version: string } = JSON.parse(
  readFileSync(
    resolve(import.meta.dirname, "../packages/eleventy/node_modules/@11ty/eleventy/package.json"),
    "utf8",
  ),
);

let registry: Registry;
beforeAll(async () => {
  registry = await Registry.start(await packAll());
});
afterAll(async () => {
  await registry?.[Symbol.asyncDispose]();
  rmSync(ROOT, { recursive: true, force: true, maxRetries: 3 });
});

/** The ways of the README: the folder that each deploys, and the site that the author has before. */
const WAYS = [
  { way: "By hand", output: "site", page: "site/index.html", begun: "" },
  {
    way: "Eleventy",
    output: "_site",
    page: "index.html",
    begun: "npm init --yes\nnpm install @11ty/eleventy",
  },
  {
    way: "Astro",
    output: "dist",
    page: "src/pages/index.astro",
    begun: "npm init --yes\nnpm install astro",
  },
] as const;

const PAGE =
  '<!doctype html><html lang="en"><head><title>Moss</title></head><body><main><p>Soft.</p></main></body></html>';

/** Those that `.ci/run` installs: the oldest ones that the packages name. */
function namedNodes(): readonly string[] {
  return (process.env.RS_EMIT_NODES ?? "").split(delimiter).filter((node) => node !== "");
}

/** The oldest Node that is there; before a release, the workspace's as well. */
function nodes(): readonly string[] {
  const system = findSystemNode();
  const other = namedNodes().at(-1) ?? (typeof system === "string" ? system : undefined);
  if (other === undefined) return [process.execPath];
  return sample([other, process.execPath], 1);
}

/** A step of a way: a file to write, or commands to run. */
type Step = { readonly file: string; readonly text: string } | { readonly commands: string };

function sectionOf(way: string): string {
  return README.split(`\n## ${way}\n`)[1]?.split("\n## ")[0] ?? "";
}

function stepsOf(way: string): Step[] {
  const blocks = sectionOf(way).matchAll(/```(\w+)\n(.*?)```/gs);
  return [...blocks].flatMap(([, language, text = ""]) => {
    if (language === "html") return [];
    if (language === "sh") return { commands: text };
    const file = /^\/\/ ([\w./-]+)/.exec(text)?.[1];
    if (file === undefined) throw new Error(`no line names the file of ${text}`);
    return { file, text };
  });
}

/** The page with the line of the README in it. */
function listed(way: string): string {
  const [line] = /<ul data-rs-emit="changes"><\/ul>/.exec(sectionOf(way)) ?? [];
  if (line === undefined) throw new Error(`no line for a page in ${way}`);
  return PAGE.replace("</main>", `${line}$&`);
}

/** The README's addresses are those of sites that do not exist; the test's host stands in for them. */
function atHost(text: string, url: string): string {
  return text
    .replaceAll("--url https://example.neocities.org/", `--url ${url}`)
    .replaceAll("--link", "--link --test-address")
    .replaceAll(/"https:\/\/example\.com\/?"/g, JSON.stringify(url))
    .replaceAll("link: true", "link: true, testAddress: true");
}

/** Where a step is taken. */
interface Place {
  readonly node: string;
  readonly source: "the workspace" | "the registry";
}

/** The folder of a builder that a package of the workspace is tested with. */
function installed(name: string, builder: string): string {
  return realpathSync(join(PACKAGES, name, "node_modules", builder));
}

async function run(folder: string, commands: string, place: Place): Promise<string> {
  const { node, source } = place;
  const { stdout: version } = await promisify(execFile)(node, ["--version"]);
  // Astro 6 and 7 want a newer Node than rs-emit does. Eleventy is the workspace's: the newest of a day may be broken.
  const isOld = version.startsWith("v20.");
  const builders =
    source === "the registry"
      ? { astro: isOld ? "astro@5" : "astro", eleventy: `@11ty/eleventy@${ELEVENTY}` }
      : {
          astro: installed("astro", isOld ? "astro-5" : "astro"),
          eleventy: installed("eleventy", "@11ty/eleventy"),
        };
  const script = commands
    .replace("install astro", `install ${builders.astro}`)
    .replace("install @11ty/eleventy", `install ${builders.eleventy}`);
  const { PATH = "" } = process.env;
  const outside = PATH.split(delimiter).filter((one) => !one.includes("node_modules"));
  const env = {
    ...withoutNpm(process.env),
    PATH: [dirname(node), ...outside].join(delimiter),
    npm_config_registry: registry.url,
    npm_config_cache: join(ROOT, `cache-${version.trim()}`),
    ASTRO_TELEMETRY_DISABLED: "1",
    // npm would run those of a folder for who works on the builder.
    npm_config_ignore_scripts: String(source === "the workspace"),
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CEILING_DIRECTORIES: ROOT,
  };
  const options = { cwd: folder, env, maxBuffer: 64_000_000 };
  const { stdout } = await promisify(execFile)("bash", ["-ec", script], options);
  return stdout;
}

/** Where builders come from: the registry's are what authors get. */
const SOURCES: readonly Place["source"][] = ["the registry"];
const CASES = nodes().flatMap((node) => SOURCES.map((source) => ({ node, source })));

describe.each(CASES)(
  "README: from a site to its feed, on $node, builders from $source",
  (place) => {
    // The packages' dependencies come from the registry of npm: the network may fail once. In the suite, the
    // tests of the plugins' READMEs build what these ways write.
    test.each(sample(WAYS, 1))("$way", { retry: 2 }, async ({ way, output, page, begun }) => {
      await using host = await new GitHubPages().start();
      const folder = mkdtempSync(join(ROOT, "site-"));
      const said: string[] = [];
      mkdirSync(dirname(join(folder, page)), { recursive: true });
      writeFileSync(join(folder, page), listed(way));
      await run(folder, begun, place);
      for (const step of stepsOf(way)) {
        if ("commands" in step) {
          said.push(await run(folder, atHost(step.commands, host.url), place));
          continue;
        }
        writeFileSync(join(folder, step.file), atHost(step.text, host.url));
      }
      const feed = `${host.url}changes.atom`;
      expect(said.at(-1)).toContain(feed);
      host.deploy(join(folder, output), true);
      const entries = (await (await fetch(feed)).text()).match(/<entry>/g);
      expect(entries).toHaveLength(1);
      const home = await (await fetch(host.url)).text();
      expect(home).toContain('type="application/atom+xml"');
      expect(home).toContain('class="rs-emit-title ');
      if (way === "Astro") await expectAdded(folder, place);
    });
  },
);

/** The line of the integration's README, without its questions, in a project that has Astro. */
async function expectAdded(folder: string, place: Place): Promise<void> {
  const [add = ""] = codeOf("packages/astro/README.md: @rs-emit/astro", "sh");
  const config = join(folder, "astro.config.mjs");
  writeFileSync(
    config,
    'import { defineConfig } from "astro/config";\nexport default defineConfig({});\n',
  );
  await run(folder, `${add.trim()} --yes`, place);
  expect(readFileSync(config, "utf8")).toMatch(
    /from ["']@rs-emit\/astro["'].*integrations: \[\w+\(\)\]/s,
  );
}

/** Node versions from the oldest to the newest, as far as they are there. */
const NODES = [...new Set([...nodes(), ...namedNodes(), process.execPath])].map((node) => ({
  node,
  version: execFileSync(node, ["--version"], { encoding: "utf8" }).trim().slice(1),
}));

/** The packages that are published, by the oldest Node that they name. */
const BY_NODE = Map.groupBy(
  readdirSync(PACKAGES)
    .map((name): Manifest => JSON.parse(readFileSync(join(PACKAGES, name, "package.json"), "utf8")))
    .filter((manifest) => manifest.private !== true),
  ({ engines = {} }) => engines.node?.replace(">=", "") ?? "",
);

test.each([...BY_NODE])(
  "what names Node %s is installed on it, or the next one",
  async (oldest, manifests) => {
    const able = NODES.filter(({ version }) => compareVersions(version, oldest) >= 0);
    const [used] = able.sort((one, other) => compareVersions(one.version, other.version));
    const folder = mkdtempSync(join(ROOT, "alone-"));
    const names = manifests.map(({ name }) => name);
    // A builder is its users' choice, and names the Nodes that it wants itself.
    const install = `npm install --engine-strict --legacy-peer-deps ${names.join(" ")}`;
    const place = { node: used?.node ?? "no such Node", source: "the registry" } as const;
    await run(folder, `npm init --yes\n${install}`, place);
    for (const name of names) {
      expect(readdirSync(join(folder, "node_modules", name))).toContain("package.json");
    }
    // SECURITY.md: nothing runs when it is installed.
    expect(readFileSync(join(folder, "package-lock.json"), "utf8")).not.toContain(
      "hasInstallScript",
    );
  },
);

function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}

test.each(WAYS)("$way: at most three commands, the feed's address included", ({ way }) => {
  const commands = stepsOf(way).flatMap((step) =>
    "commands" in step ? step.commands.trim().split("\n") : [],
  );
  expect(commands.length).toBeLessThanOrEqual(3);
});
