/** What the author adds to a builder's config or build script, so that each build publishes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { namesIn } from "../first-run/find-folder.ts";
import { asWord, shortPath } from "../folder-name.ts";

/** One that rs-emit follows after each build, by a command. */
interface CommandBuilder {
  readonly name: string;
  /** Its config, in the project's folder. */
  readonly config?: RegExp;
  /** What it writes into `<meta name="generator">`. */
  readonly generator?: RegExp;
  readonly build: string;
  readonly options: string;
}

/** One that has a plugin. */
interface PluginBuilder extends Pick<CommandBuilder, "name" | "config" | "generator"> {
  readonly plugin: string;
  readonly line: (url: string) => string;
}

/** docs/builders.md says more of each. */
const BUILDERS: readonly (CommandBuilder | PluginBuilder)[] = [
  {
    name: "Eleventy",
    config: /^(?:\.eleventy\.c?js|eleventy\.config\.\w+)$/,
    generator: /^Eleventy/,
    plugin: "@rs-emit/eleventy",
    line: (url) => `eleventyConfig.addPlugin(rsEmit, { url: "${url}" });`,
  },
  {
    name: "Astro",
    config: /^astro\.config\.\w+$/,
    generator: /^Astro/,
    plugin: "@rs-emit/astro",
    line: () => "integrations: [rsEmit()],",
  },
  {
    name: "Hugo",
    config: /^hugo\.(?:toml|ya?ml|json)$/,
    generator: /^Hugo/,
    build: "hugo && hugo list all > files.csv",
    options: "--source-map files.csv",
  },
  {
    name: "Jekyll",
    config: /^_config\.ya?ml$/,
    generator: /^Jekyll/,
    build: "jekyll build",
    options: "",
  },
  {
    name: "MkDocs",
    config: /^mkdocs\.ya?ml$/,
    generator: /^mkdocs/i,
    build: "mkdocs build",
    options: "--source-folder docs",
  },
  {
    name: "VitePress",
    generator: /^VitePress/,
    build: "npx vitepress build docs",
    options: "--source-folder docs",
  },
  {
    name: "Docusaurus",
    config: /^docusaurus\.config\.\w+$/,
    generator: /^Docusaurus/,
    build: "npx docusaurus build",
    options: "--source-folder .",
  },
  {
    name: "Quartz",
    config: /^quartz\.config\.\w+$/,
    build: "npx quartz build",
    options: "--source-folder content --clean-urls",
  },
  {
    name: "SvelteKit",
    config: /^svelte\.config\.\w+$/,
    build: "npx vite build",
    options: "--clean-urls",
  },
];

/** What the author does from now on, where a builder made the folder. */
interface BuilderSteps {
  readonly what: string;
  readonly lines: readonly string[];
}

/** @param folder absolute */
export function builderSteps(folder: string, url: string): BuilderSteps | undefined {
  const names = namesIn(".");
  const generator = generatorOf(join(folder, "index.html"));
  const isIn = ({ config }: CommandBuilder | PluginBuilder) =>
    names.some((name) => config?.test(name));
  const made = BUILDERS.find((one) => one.generator?.test(generator)) ?? BUILDERS.find(isIn);
  if (made === undefined) return undefined;
  if ("plugin" in made) {
    return {
      what: `${made.name} made this folder. It has a plugin, by which each build publishes:`,
      lines: [`npm install ${made.plugin}`, made.line(url)],
    };
  }
  const command = ["npx rs-emit", asWord(shortPath(folder, ".")), "--url", url, made.options];
  return {
    what: `${made.name} made this folder. From now on build by this line, in your script and on your host:`,
    lines: [`${made.build} && ${command.filter((part) => part !== "").join(" ")}`],
  };
}

function generatorOf(page: string): string {
  try {
    const meta = /<meta\b[^>]*\bname=["']?generator\b[^>]*>/i.exec(readFileSync(page, "utf8"));
    return /\bcontent=["']([^"']*)/i.exec(meta?.[0] ?? "")?.[1] ?? "";
  } catch {
    return ""; // Without a home page the project's files tell.
  }
}
