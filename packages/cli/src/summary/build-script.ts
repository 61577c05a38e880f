/** What the author adds to a builder's config or build script, so that each build publishes. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { EmitResult } from "@rs-emit/core";
import { SITE_BUILDERS, type SiteBuilder } from "@rs-emit/core/words";
import { namesIn } from "../first-run/find-site.ts";
import { asWord, shortPath } from "../folder-name.ts";

/** Of a builder that rs-emit follows after each build, by a command. */
interface BuildLine {
  readonly build: string;
  /** What the line has besides the author's own options. */
  readonly options?: readonly string[];
}

/** Of a builder that has a plugin. */
interface PluginLine {
  readonly plugin: string;
  readonly line: (options: string, url: string) => string;
}

const LINES: Readonly<Record<SiteBuilder["name"], BuildLine | PluginLine>> = {
  Eleventy: {
    plugin: "@rs-emit/eleventy",
    line: (link, url) =>
      `eleventyConfig.addPlugin(rsEmit, { url: "${url}"${link && `, ${link}`} });`,
  },
  Astro: {
    plugin: "@rs-emit/astro",
    line: (link) => `integrations: [rsEmit(${link && `{ ${link} }`})],`,
  },
  Hugo: {
    build: "hugo && hugo list all > files.csv",
    options: ["--source-map files.csv", "--source-folder content"],
  },
  Jekyll: { build: "jekyll build" },
  MkDocs: { build: "mkdocs build", options: ["--source-folder docs"] },
  VitePress: { build: "npx vitepress build docs", options: ["--source-folder docs"] },
  Docusaurus: { build: "npx docusaurus build", options: ["--source-folder ."] },
  Quartz: { build: "npx quartz build", options: ["--source-folder content", "--clean-urls"] },
  SvelteKit: { build: "npx vite build", options: ["--clean-urls"] },
};

/** What the author does from now on, where a builder made the folder. */
interface BuilderSteps {
  readonly what: string;
  readonly lines: readonly string[];
}

/** @param args those of this run; without them the line has the folder, the address and `--link` */
export function builderSteps(
  { folder, linked, site }: Pick<EmitResult, "folder" | "linked" | "site">,
  args: readonly string[] = [shortPath(folder, "."), "--url", site, ...(linked ? ["--link"] : [])],
): BuilderSteps | undefined {
  const names = namesIn(".");
  const generator = generatorOf(join(folder, "index.html"));
  const made =
    SITE_BUILDERS.find(({ name }) => new RegExp(`^${name}`, "i").test(generator)) ??
    SITE_BUILDERS.find(({ config }) => names.some((name) => config?.test(name)));
  if (made === undefined) return undefined;
  const line = LINES[made.name];
  if ("plugin" in line) {
    return {
      what: `${made.name} made this folder. With its plugin, each build publishes; the last two lines belong into its config:`,
      lines: [
        `npm install ${line.plugin}`,
        `import rsEmit from "${line.plugin}";`,
        line.line(linked ? "link: true" : "", site),
      ],
    };
  }
  const words = lasting(args).map((arg) => {
    return asWord(resolve(arg) === folder ? shortPath(folder, ".") : arg);
  });
  const more = (line.options ?? []).filter((option) => !isSaid(option, args));
  return {
    what: `${made.name} made this folder. From now on build by this line, in your script and on your host:`,
    lines: [[`${line.build} && npx rs-emit`, ...words, ...more].join(" ")],
  };
}

/** Options for one run, or for nobody but the author who types them. */
const ONCE = /^--(?:first|force|now|minor|allow-mass-delete|previous|test-address|verbose)(?:=|$)/;
const WITH_VALUE = /^--(?:now|previous)$/;

function lasting(args: readonly string[]): readonly string[] {
  return args.filter((arg, at) => !ONCE.test(arg) && !WITH_VALUE.test(args[at - 1] ?? ""));
}

function isSaid(option: string, args: readonly string[]): boolean {
  const [flag = ""] = option.split(" ");
  const names = [flag, flag.replace("--", "--no-")];
  return args.some((arg) => names.includes(arg.replace(/=.*/s, "")));
}

function generatorOf(page: string): string {
  try {
    const meta = /<meta\b[^>]*\bname=["']?generator\b[^>]*>/i.exec(readFileSync(page, "utf8"));
    return /\bcontent=["']([^"']*)/i.exec(meta?.[0] ?? "")?.[1] ?? "";
  } catch {
    return ""; // Without a home page the project's files tell.
  }
}
