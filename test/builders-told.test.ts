import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type BuilderSite, mkdocs, NPM_SITES } from "./builders/sites.ts";
import { GitHubPages } from "./hosts/pages.ts";
import { codeIn, codeOf, textOf } from "./support/documented.ts";
import { packAll } from "./support/packed.ts";
import { Project } from "./support/project.ts";
import { Registry } from "./support/registry.ts";
import { sample } from "./thorough.ts";

const PAGE = "docs/builders.md";
const ROOT = mkdtempSync(join(tmpdir(), "rs-emit-builders-told-"));
afterAll(() => rmSync(ROOT, { recursive: true, force: true, maxRetries: 3 }));

/** The themes of the MkDocs that is installed; none where there is none. */
function mkdocsThemes(): readonly string[] {
  try {
    const help = execFileSync("mkdocs", ["build", "--help"], { encoding: "utf8" });
    return /--theme \[([^\]]+)\]/.exec(help)?.[1]?.split("|") ?? [];
  } catch {
    return [];
  }
}

/** A site of a builder, published again and again as docs/builders.md says. */
class Published {
  readonly #site: BuilderSite;
  readonly #project: Project;
  readonly #host: GitHubPages;
  readonly #commands: readonly string[];
  readonly #env: NodeJS.ProcessEnv;

  private constructor(site: BuilderSite, host: GitHubPages, registry?: Registry) {
    this.#site = site;
    this.#host = host;
    this.#project = new Project(ROOT, site.ignored);
    const [script = ""] = codeOf(`${PAGE}: ${site.builder}`, "sh");
    this.#commands = script.replaceAll("https://example.com/", host.url).trim().split("\n");
    this.#env = {
      ASTRO_TELEMETRY_DISABLED: "1",
      npm_config_audit: "false",
      npm_config_fund: "false",
      ...(registry && {
        npm_config_registry: registry.url,
        npm_config_cache: join(ROOT, "npm-cache"),
      }),
    };
  }

  /** Installs the builder, and runs all commands for the first time. */
  static async first(
    site: BuilderSite,
    host: GitHubPages,
    registry?: Registry,
  ): Promise<{ published: Published; commands: readonly string[] }> {
    const published = new Published(site, host, registry);
    const project = published.#project;
    project.write({ ...published.#config(), ...site.files(host.url) });
    project.commit("2026-02-01T00:00:00Z");
    if (Object.keys(site.packages).length > 0) await published.#run("npm install");
    await published.#run(published.#commands.join("\n"));
    published.#deploy();
    return { published, commands: published.#commands };
  }

  /** Builds into an empty folder, as CI does, with the site as the memory. */
  async again(edited: Readonly<Record<string, string>>): Promise<void> {
    this.#project.write(edited);
    if (Object.keys(edited).length > 0) this.#project.commit("2026-03-01T00:00:00Z");
    rmSync(join(this.#project.folder, this.#site.output), { recursive: true });
    const builds = this.#commands.filter((command) => !command.startsWith("npm install"));
    await this.#run(builds.join("\n"));
    this.#deploy();
  }

  /** @returns what followers hear, newest first */
  async log(): Promise<string[]> {
    const log = await this.#run(`npx rs-emit log ${this.#site.output}`);
    return log.split("\n").filter((line) => line !== "");
  }

  #deploy(): void {
    this.#host.deploy(join(this.#project.folder, this.#site.output), true);
  }

  /** The configuration that stands in the section. */
  #config(): Readonly<Record<string, string>> {
    const section = `${PAGE}: ${this.#site.builder}`;
    const blocks = codeIn(PAGE).filter((one) => one.section === section && one.language === "js");
    return Object.fromEntries(
      blocks.map(({ text }) => [
        /^\/\/ (\S+)/.exec(text)?.[1] ?? "",
        text
          .replace('"https://example.com"', JSON.stringify(this.#host.url))
          .replace("link: true", "$&, testAddress: true"),
      ]),
    );
  }

  #run(script: string): Promise<string> {
    return this.#project.run(script, this.#env);
  }
}

/** @param registry where npm gets packages; unless given, the one that it is set up with */
async function expectTold(site: BuilderSite, registry?: Registry): Promise<void> {
  await using host = await new GitHubPages().start();
  const { published, commands } = await Published.first(site, host, registry);
  expect(commands.length).toBeLessThanOrEqual(2);
  const feed = await fetch(`${host.url}changes.atom`);
  expect([feed.status, await feed.text()]).toEqual([200, expect.stringContaining("</feed>")]);
  const past = await published.log();
  expect(past.includes("2026-02-01 created Elms")).toBe(site.isDated);

  await published.again({});
  expect(await published.log()).toEqual(past);

  await published.again(site.edited);
  const [edit, ...before] = await published.log();
  expect(edit).toMatch(/ updated Ferns\b.* – New: “Green in winter.”$/);
  expect(before).toEqual(past);

  await published.again(site.added);
  const [creation, ...rest] = await published.log();
  expect(creation).toMatch(/ created Ivy\b/);
  expect(rest).toEqual([edit, ...before]);
}

describe("docs/builders.md: followers hear of an edit and of a new page, and of nothing else", () => {
  const themes = mkdocsThemes();
  test.for(sample(["mkdocs", "material"], 0))(
    "MkDocs, theme %s (skipped where it is not installed)",
    async (theme, { skip }) => {
      skip(!themes.includes(theme));
      await expectTold(mkdocs(theme));
    },
  );

  // Before a release alone: they fetch up to 300 MB. The network may fail once.
  const long = { retry: 1, timeout: 900_000 };
  test.each(sample(NPM_SITES, 0))("$builder", long, async (site) => {
    if (!codeOf(`${PAGE}: ${site.builder}`, "sh").join().includes("npm install @rs-emit/")) {
      return expectTold(site);
    }
    await using registry = await Registry.start(await packAll());
    await expectTold(site, registry);
  });

  test("the table names the versions that are tried", () => {
    const text = textOf(PAGE);
    const names: Readonly<Record<string, string>> = {
      Docusaurus: "@docusaurus/core",
      Starlight: "@astrojs/starlight",
      SvelteKit: "@sveltejs/kit",
      VitePress: "vitepress",
    };
    for (const { builder, packages } of NPM_SITES) {
      const row = text.split("\n").find((line) => line.startsWith(`| ${builder} `));
      expect(row).toContain(`| ${builder} ${packages[names[builder] ?? ""]} `);
    }
  });
});
