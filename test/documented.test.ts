import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createRepository } from "../packages/core/test/support/repository.ts";
import { Neocities } from "./hosts/neocities.ts";
import { GitHubPages } from "./hosts/pages.ts";
import { codeIn, codeOf, commandLines, PAGES } from "./support/documented.ts";
import { readAction, writeNpx } from "./support/steps.ts";

const ROOT = resolve(import.meta.dirname, "..");

const HERE = "test/documented.test.ts";
const STEPS = "test/first-steps.test.ts";
const RECIPES = "test/recipes.test.ts";
const DEPLOY = "test/deploy-docs.test.ts";
const BUILDERS = "test/builders.test.ts";
const TOLD = "test/builders-told.test.ts";
const STARTERS = "test/starters.test.ts";
const ELEVENTY = "packages/eleventy/test/readme.test.ts";
const ASTRO = "packages/astro/test/readme.test.ts";

/** Where the code of each section is run, or why it is not. */
const PROOFS: Readonly<Record<string, string | { readonly why: string }>> = {
  "README.md: By hand": STEPS,
  "README.md: Eleventy": STEPS,
  "README.md: Astro": STEPS,
  "README.md: Follow many sites": HERE,
  "CONTRIBUTING.md: Set up": {
    why: "test/demo.test.ts plays the demo, and the other is this run",
  },
  "actions/README.md: Actions for GitHub": HERE,
  "bench/README.md: Benchmark": { why: "it takes an hour, and 4 GB" },
  "docs/architecture.md: One example": "test/docs.test.ts",
  "docs/backfill.md: Commit by commit: rs-emit backfill": HERE,
  "docs/backfill.md: In CI": HERE,
  "docs/builders.md: Docusaurus": TOLD,
  "docs/builders.md: Hugo": BUILDERS,
  "docs/builders.md: Jekyll": BUILDERS,
  "docs/builders.md: MkDocs": TOLD,
  "docs/builders.md: Starlight": TOLD,
  "docs/builders.md: SvelteKit": TOLD,
  "docs/builders.md: VitePress": TOLD,
  "docs/config.md: The config": HERE,
  "docs/copies.md: Make a copy: rs-harvest sync": HERE,
  "docs/deploy/README.md: Deploy so that the log survives": HERE,
  "docs/deploy/cloudflare.md: Cloudflare Pages": HERE,
  "docs/deploy/codeberg.md: Codeberg Pages": DEPLOY,
  "docs/deploy/github-pages.md: Check": HERE,
  "docs/deploy/neocities.md: From your machine": DEPLOY,
  "docs/deploy/neocities.md: If you edit on two machines, or in the browser": DEPLOY,
  "docs/deploy/neocities.md: From GitHub Actions": DEPLOY,
  "docs/deploy/netlify.md: Netlify": HERE,
  "docs/deploy/rsync.md: Any server, by rsync": DEPLOY,
  "docs/harvester.md: A change on its way": "packages/harvester/test/worked-example.test.ts",
  "docs/leave.md: Leave rs-emit": { why: "packages/core/test/pages.test.ts takes the links out" },
  "docs/lists.md: Sites that do not say what changed": HERE,
  "docs/notify.md: Tell followers at once: rs-emit notify": HERE,
  "docs/readers.md: Your words": HERE,
  "docs/readers.md: The list on your page": HERE,
  "docs/readers.md: The date of a page": { why: "packages/core/test/pages.test.ts has its mark" },
  "docs/recipes.md: Archive each changed page": RECIPES,
  "docs/recipes.md: Log": { why: "scripts/screenshots.ts takes its picture" },
  "docs/recipes.md: Mail": RECIPES,
  "docs/recipes.md: Plain": { why: "scripts/screenshots.ts takes its picture" },
  "docs/recipes.md: Seeds of a crawl": RECIPES,
  "docs/recipes.md: Table": { why: "scripts/screenshots.ts takes its picture" },
  "docs/recipes.md: Webmentions, for changed pages only": {
    why: "it fetches a program that this project does not install",
  },
  "docs/search-engines.md: In the sitemap that you have": {
    why: "last-changed.test.ts of each plugin builds with it",
  },
  "docs/search-engines.md: In a sitemap of rs-emit": {
    why: "packages/core/test/sitemap.test.ts has its options",
  },
  "docs/search-engines.md: Telling engines at once: IndexNow": {
    why: "packages/cli/test/index-now.test.ts runs it against an engine",
  },
  "docs/service.md: A service for followers: rs-harvest serve": HERE,
  "docs/service.md: On a small server": HERE,
  "docs/service.md: In a container": HERE,
  "docs/releasing.md: The tarballs": "test/tarballs.test.ts",
  "docs/releasing.md: What the owner does once": "test/owner.test.ts",
  "docs/releasing.md: The marketplace": "test/action-repository.test.ts",
  "examples/astro/README.md: Begin with a copy": STARTERS,
  "examples/eleventy/README.md: Begin with a copy": STARTERS,
  "examples/handmade/README.md: Begin with a copy": STARTERS,
  "packages/adapter/README.md: @rs-emit/adapter": HERE,
  "packages/astro/README.md: @rs-emit/astro": ASTRO,
  "packages/astro/README.md: Options": ASTRO,
  "packages/astro/README.md: The date of a page": ASTRO,
  "packages/astro/README.md: Your words": "packages/astro/test/words.test.ts",
  "packages/astro/README.md: Source files": ASTRO,
  "packages/check/README.md: A site": HERE,
  "packages/check/README.md: One document": HERE,
  "packages/cli/README.md: rs-emit": HERE,
  "packages/cli/README.md: Other commands": HERE,
  "packages/core/README.md: @rs-emit/core": HERE,
  "packages/documents/README.md: @rs-emit/documents": HERE,
  "packages/eleventy/README.md: @rs-emit/eleventy": ELEVENTY,
  "packages/eleventy/README.md: The date of a page": ELEVENTY,
  "packages/eleventy/README.md: Source files": ELEVENTY,
  "packages/eleventy/README.md: When it publishes": ELEVENTY,
  "packages/feeds/README.md: @rs-emit/feeds": HERE,
  "packages/harvester/README.md: rs-harvest": HERE,
  "packages/harvester/README.md: Sources behind a token": "packages/harvester/test/tokens.test.ts",
};

describe("commands and configurations in the docs", () => {
  test("are all run by a test, or stand here with a reason", () => {
    const sections = PAGES.flatMap(codeIn).map(({ section }) => section);
    expect([...new Set(sections)].toSorted()).toEqual(Object.keys(PROOFS).toSorted());
  });

  test("are read by the tests that run them", () => {
    for (const [section, proof] of Object.entries(PROOFS)) {
      if (typeof proof !== "string" || proof === HERE) continue;
      const [page = ""] = section.split(": ");
      // Some read the page by a function of their own, or by its section.
      const names = [page, basename(page), "architecture()"].join("|");
      expect(readFileSync(join(ROOT, proof), "utf8"), section).toMatch(new RegExp(names));
    }
  });

  test("have options that the commands know", async () => {
    const lines = PAGES.flatMap((page) => commandLines(page).map((line) => ({ page, line })));
    expect(lines.length).toBeGreaterThan(60);
    for (const { page, line } of lines) {
      const [program = "", name = ""] = line.split(" ");
      const options = line.match(/ --[a-z][\w-]*/g) ?? [];
      const help = options.length === 0 ? "" : await helpOf(program, name);
      for (const option of options) expect(help, `${page}: ${line}`).toMatch(`${option} `);
    }
  });
});

const helps = new Map<string, Promise<string>>();

/** @param name a command of the program, or its first argument */
function helpOf(program: string, name: string): Promise<string> {
  const key = /^[a-z]+$/.test(name) ? `${program} ${name}` : program;
  const known = helps.get(key);
  if (known !== undefined) return known;
  const place = program === "rs-emit" ? "cli/bin/rs-emit.js" : "harvester/bin/rs-harvest.js";
  const own = /log|check|neocities|backfill|notify|init|serve|sync|import|export/;
  const whole = key.startsWith("rs-emit") && !own.test(key) ? ["all"] : [];
  const args = [
    join(ROOT, "packages", place),
    ...(own.test(key) ? [name] : []),
    "--help",
    ...whole,
  ];
  const help = promisify(execFile)(process.execPath, args).then(({ stdout }) => stdout);
  helps.set(key, help);
  return help;
}

/** In no repository, and with the packages of this one. */
const PLACE = mkdtempSync(join(tmpdir(), "rs-emit-documented-"));
symlinkSync(join(ROOT, "node_modules"), join(PLACE, "node_modules"));
afterAll(() => rmSync(PLACE, { recursive: true, force: true, maxRetries: 3 }));

const TOOLS = join(PLACE, "tools");
writeNpx(TOOLS);

/** A folder with pages; commands run in it find those of this repository. */
class Workplace {
  readonly folder: string;

  constructor(folder = mkdtempSync(join(PLACE, "site-"))) {
    this.folder = folder;
  }

  write(path: string, text: string): this {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
    return this;
  }

  page(path: string, text: string, head = ""): this {
    const html = `<!doctype html><html lang="en"><title>${text}</title>${head}<main>${text}</main>`;
    return this.write(path, html);
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }

  /** Runs commands as they are pasted; the first that fails ends them. */
  async run(commands: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
    const path = `${TOOLS}:${dirname(process.execPath)}:${process.env.PATH}`;
    const options = {
      cwd: this.folder,
      env: { PATH: path, HOME: this.folder, ...env },
    };
    const { stdout } = await promisify(execFile)("bash", ["-ec", commands], options);
    return stdout;
  }

  /** Runs a program that stands in a README. */
  program(text: string): Promise<string> {
    this.write("program.ts", text);
    return this.run("node --disable-warning=ExperimentalWarning program.ts");
  }
}

function at(url: string, text: string): string {
  return text.replaceAll(/https:\/\/(?:example|you|user|handmade)\.[\w.]+\//g, url);
}

function code(section: string, language = "sh", number = 0): string {
  return codeOf(section, language)[number] ?? "";
}

describe("the command", () => {
  test("a site from its first publication to its followers", async () => {
    await using host = await new GitHubPages().start();
    const place = new Workplace().page("dist/index.html", "Home");
    const deploy = () => host.deploy(join(place.folder, "dist"), true);
    const config = at(host.url, code("docs/config.md: The config", "ts"));
    place.write("rs-emit.config.ts", config.replace('folder: "dist",', `$& hub: "${host.url}",`));
    const list =
      code("docs/readers.md: The list on your page", "html") +
      code("packages/cli/README.md: rs-emit", "html");
    place
      .page("dist/moss-shrine/index.html", "The Moss Shrine", "")
      .page("dist/gallery/a.html", "A");
    place.write("dist/moss-shrine/new.html", `<title>New</title>${list}<main>New</main>`);

    const published = await place.run(at(host.url, code("packages/cli/README.md: rs-emit")));
    expect(published).toContain("First publication");
    deploy();
    const note = code("docs/readers.md: Your words", "html");
    place.page("dist/gallery/a.html", "A, again", note).page("dist/moss-shrine/wing.html", "Wing");
    expect(await place.run(code("docs/readers.md: Your words"))).toContain("2 changes");
    deploy();

    const log = at(host.url, code("packages/cli/README.md: Other commands"));
    const [folder = "", live = ""] = log
      .replace(/--since .*/, "")
      .trim()
      .split("\n");
    const told = await place.run(folder);
    expect(told).toContain("created Wing: The moss shrine has a new wing");
    expect(told).toContain("updated A, again: Two more ferns, and why they are no moss");
    expect(await place.run(live)).toBe(told);
    const lists = place.read("dist/moss-shrine/new.html").match(/<ul data-rs-emit[\s\S]*?<\/ul>/g);
    expect(lists?.map((one) => one.includes("rs-emit-words"))).toEqual([true, true]);

    const check = code("packages/cli/README.md: Other commands", "sh", 1);
    const checked = await place.run(at(host.url, check));
    expect(checked.match(/Found: [^e]*$/gm)).toHaveLength(2);
    const notify = code("docs/notify.md: Tell followers at once: rs-emit notify");
    const notified = await place.run(notify);
    expect(notified).toContain(`${host.url} was notified of ${host.url}gallery/changes.atom`);
  });

  test("the exact past: a committed folder, a branch, a build", async () => {
    await using host = await new GitHubPages().start();
    const page = "docs/backfill.md: Commit by commit: rs-emit backfill";
    const commands = at(host.url, code(page)).trim().split("\n");
    const eleventy = join(ROOT, "packages/eleventy/node_modules/@11ty/eleventy/cmd.cjs");
    for (const [number, command] of commands.entries()) {
      using repository = createRepository();
      const page = ["public/index.html", "index.html", "index.md"][number] ?? "";
      repository.write(page, "<title>Home</title>").commit(1_750_000_000, "First");
      if (number === 1) repository.git("branch", "--move", "gh-pages");
      repository.write(page, "<title>Home again</title>").commit(1_760_000_000, "Second");
      const place = new Workplace(repository.root);
      const built = command.replace("npx @11ty/eleventy", `${process.execPath} ${eleventy}`);
      await place.page("_site/index.html", "Home again").run(built);
      const log = await place.run(`npx rs-emit log ${number === 0 ? "public" : "_site"}`);
      expect(log).toBe(
        "2025-10-09 updated Home page – Now: “Home again”\n2025-06-15 created Home\n",
      );
    }
    const [workflow = ""] = codeOf("docs/backfill.md: In CI", "yaml");
    const { jobs }: { jobs: { publish: { steps: { run?: string }[] } } } = parse(workflow);
    expect(jobs.publish.steps.flatMap(({ run = [] }) => run)).toHaveLength(5);
  });
});

describe("programs in the READMEs of libraries", () => {
  const code = (name: string, heading = `@rs-emit/${name}`, number = 0): string =>
    codeOf(`packages/${name}/README.md: ${heading}`, "ts")[number] ?? "";

  test("@rs-emit/core, @rs-emit/documents and @rs-emit/check", async () => {
    await using host = await new GitHubPages().start();
    const place = new Workplace().page("dist/index.html", "Home");
    const sample = code("core").replace("url:", "testAddress: true, url:");
    const core = await place.program(at(host.url, sample));
    expect(core).toBe(`${host.url} 1\n`);
    host.deploy(join(place.folder, "dist"), true);

    await place.run("cp dist/changelist/*.xml changelist.xml");
    expect(await place.program(code("documents"))).toBe(`change-list\ncreated ${host.url}\n`);
    const file = "changelist-2026-10.xml";
    expect(place.read(file)).toContain("<loc>https://example.org/moss.html</loc>");
    const judged = code("check", "One document");
    const xml = `import { readFileSync } from "node:fs"; const xml = readFileSync("${file}", "utf8");`;
    expect(await place.program(xml + judged)).toBe("");
    const checked = await place.program(at(host.url, code("check", "A site")));
    expect(checked).toMatch(/documents and .* were checked/);
  });

  test("@rs-emit/feeds", async () => {
    const changes = `[{ url: "https://example.org/moss/a.html", kind: "created", datetime: 1763632800, isMinor: false }]`;
    const program = `const changes = ${changes} as const;\n${code("feeds")}\nconsole.log(text);`;
    const feed = await new Workplace().program(program);
    expect(feed).toContain("<id>tag:example.org,2026:changes/moss/2025-11-20T10:00:00Z</id>");
  });

  test("@rs-emit/adapter", async () => {
    await using host = await new GitHubPages().start();
    const place = new Workplace().page("dist/index.html", "Home").write("home.md", "Home");
    const options = JSON.stringify({ url: host.url, testAddress: true, history: "files" });
    const pages = 'new Map([["index.html", "home.md"]])';
    const said = await place.program(`${code("adapter")}\nawait afterBuild(${options}, ${pages});`);
    expect(said).toContain("First publication");
    expect(place.read("dist/changelist.xml")).toContain(host.url);
  });
});

describe("what followers and hosts run", () => {
  test("one shot, a copy of a site, lists of sites, and the checks of a deploy", async () => {
    await using host = await new GitHubPages().start();
    const place = new Workplace().page("site/index.html", "Home", "");
    const said = await place.run(`npx rs-emit site --url ${host.url} --link`);
    expect(said).toContain("written into 1 page: index.html.");
    host.deploy(join(place.folder, "site"), true);
    const [readme = ""] = codeOf("README.md: Follow many sites", "sh");
    for (const command of [readme, code("packages/harvester/README.md: rs-harvest")]) {
      expect(await place.run(at(host.url, command))).toContain(
        "1 site is followed by its change log. ",
      );
    }
    await place.run(at(host.url, code("docs/copies.md: Make a copy: rs-harvest sync")));
    expect(place.read("copy/index.html")).toBe(place.read("site/index.html"));

    const list = `<opml version="2.0"><body><outline type="rss" text="Home" htmlUrl="${host.url}" xmlUrl="${host.url}changes.atom"/></body></opml>`;
    await place
      .write("feeds.opml", list)
      .run(code("docs/service.md: A service for followers: rs-harvest serve", "sh", 1));
    expect(place.read("sites.txt")).toMatch(`${host.url} `);
    // None of them was read yet.
    expect(place.read("feeds.opml")).toContain("<body/>");

    const checks = PAGES.filter((page) => page.startsWith("docs/deploy/")).flatMap((page) =>
      codeIn(page).filter(({ text }) => /^npx rs-emit check \S+\n$/.test(text)),
    );
    expect(checks).toHaveLength(4);
    for (const { text } of checks) {
      expect(await place.run(at(host.url, text))).toMatch(/Nothing is wrong\.\n$/);
    }
  });

  test("a site with a sitemap alone", async () => {
    await using host = await new GitHubPages().start();
    const page = `<url><loc>${host.url}a.html</loc></url>`;
    const place = new Workplace().write(
      "site/sitemap.xml",
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${page}</urlset>`,
    );
    host.deploy(join(place.folder, "site"), true);
    const said = await place.run(
      at(host.url, code("docs/lists.md: Sites that do not say what changed")),
    );
    expect(said).toContain("this site is followed by its sitemap");
  });

  test("the service starts as it is installed", async () => {
    const place = new Workplace();
    const unit =
      /ExecStart=\/usr\/bin\/env (.*)/.exec(
        code("docs/service.md: On a small server", "ini"),
      )?.[1] ?? "";
    const { services }: { services: Record<string, { command?: string }> } = parse(
      code("docs/service.md: In a container", "yaml"),
    );
    // The image runs the harvester.
    const composed = `rs-harvest ${services.web?.command ?? ""}`;
    const commands = [
      code("docs/service.md: A service for followers: rs-harvest serve"),
      unit.replace("/var/lib/rs-harvest", "data"),
      composed,
    ];
    for (const command of commands) {
      expect(command.trim()).toMatch(/^rs-harvest serve/);
      // The database and the port are not those of this machine.
      const here = command.trim().replace(/ --database \S+/, "");
      const env = { PUBLIC_URL: "https://feeds.example/", RS_HARVEST_TOKEN: "f".repeat(32) };
      const said = await place.run(
        `rm -f out pid; (${here} --port 0 & echo $! >pid; wait) >out 2>&1 & for i in $(seq 300); do grep -qs http out && break; sleep 0.1; done; kill $(cat pid); cat out`,
        env,
      );
      expect(said).toMatch(/http:\/\/\S+:\d+/);
    }
  });

  test("the actions take what the workflow gives them", () => {
    const [workflow = ""] = codeOf("actions/README.md: Actions for GitHub", "yaml");
    const { steps }: { steps: { uses: string; with: Record<string, string> }[] } = parse(workflow);
    const names = ["emit", "after"] as const;
    expect(steps.map(({ uses }) => /actions\/(\w+)@v/.exec(uses)?.[1])).toEqual(names);
    for (const [number, name] of names.entries()) {
      const known = Object.keys(readAction(name).inputs);
      expect(known).toEqual(expect.arrayContaining(Object.keys(steps[number]?.with ?? {})));
    }
  });

  test("the hand-built example", async () => {
    await using site = await new Neocities().start();
    const place = new Workplace();
    cpSync(join(ROOT, "examples/handmade"), place.folder, { recursive: true });
    place.write(
      "rs-emit.config.json",
      place.read("rs-emit.config.json").replace("https://handmade.example/", site.url),
    );
    const [begin = ""] = codeOf("examples/handmade/README.md: Begin with a copy", "sh");
    const publish = begin.trim().split("\n").at(-1) ?? "";
    expect(await place.run(publish)).toContain("First publication");
    // Its own links lead from each page to the log and the feed.
    expect(await place.run("npx rs-emit check site --strict")).toMatch(/Nothing is wrong\.\n$/);
    const env = { NEOCITIES_API_URL: site.api, NEOCITIES_API_KEY: site.key };
    await place.run(`npx rs-emit neocities ${site.url} site`, env);
    expect(await place.run(`npx rs-emit log ${site.url}moss-shrine/`)).toContain("created");
  });
});
