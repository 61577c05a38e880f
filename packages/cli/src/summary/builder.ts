/** What the author adds to a builder's config or build script, so that each build publishes. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { EmitResult } from "@rs-emit/core";
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
  /** What the line has besides the author's own options. */
  readonly options: readonly string[];
}

/** One that has a plugin. */
interface PluginBuilder extends Pick<CommandBuilder, "name" | "config" | "generator"> {
  readonly plugin: string;
  readonly line: (options: string, url: string) => string;
}

/** docs/builders.md says more of each. */
const BUILDERS: readonly (CommandBuilder | PluginBuilder)[] = [
  {
    name: "Eleventy",
    config: /^(?:\.eleventy\.c?js|eleventy\.config\.\w+)$/,
    generator: /^Eleventy/,
    plugin: "@rs-emit/eleventy",
    line: (link, url) =>
      `eleventyConfig.addPlugin(rsEmit, { url: "${url}"${link && `, ${link}`} });`,
  },
  {
    name: "Astro",
    config: /^astro\.config\.\w+$/,
    generator: /^Astro/,
    plugin: "@rs-emit/astro",
    line: (link) => `integrations: [rsEmit(${link && `{ ${link} }`})],`,
  },
  {
    name: "Hugo",
    config: /^hugo\.(?:toml|ya?ml|json)$/,
    generator: /^Hugo/,
    build: "hugo && hugo list all > files.csv",
    options: ["--source-map files.csv", "--source-folder content"],
  },
  {
    name: "Jekyll",
    config: /^_config\.ya?ml$/,
    generator: /^Jekyll/,
    build: "jekyll build",
    options: [],
  },
  {
    name: "MkDocs",
    config: /^mkdocs\.ya?ml$/,
    generator: /^mkdocs/i,
    build: "mkdocs build",
    options: ["--source-folder docs"],
  },
  {
    name: "VitePress",
    generator: /^VitePress/,
    build: "npx vitepress build docs",
    options: ["--source-folder docs"],
  },
  {
    name: "Docusaurus",
    config: /^docusaurus\.config\.\w+$/,
    generator: /^Docusaurus/,
    build: "npx docusaurus build",
    options: ["--source-folder ."],
  },
  {
    name: "Quartz",
    config: /^quartz\.config\.\w+$/,
    build: "npx quartz build",
    options: ["--source-folder content", "--clean-urls"],
  },
  {
    name: "SvelteKit",
    config: /^svelte\.config\.\w+$/,
    build: "npx vite build",
    options: ["--clean-urls"],
  },
];

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
  const isIn = ({ config }: CommandBuilder | PluginBuilder) =>
    names.some((name) => config?.test(name));
  const made = BUILDERS.find((one) => one.generator?.test(generator)) ?? BUILDERS.find(isIn);
  if (made === undefined) return undefined;
  if ("plugin" in made) {
    return {
      what: `${made.name} made this folder. With its plugin, each build publishes; the last two lines belong into its config:`,
      lines: [
        `npm install ${made.plugin}`,
        `import rsEmit from "${made.plugin}";`,
        made.line(linked ? "link: true" : "", site),
      ],
    };
  }
  const words = lasting(args).map((arg) => {
    return asWord(resolve(arg) === folder ? shortPath(folder, ".") : arg);
  });
  const more = made.options.filter((option) => !isSaid(option, args));
  return {
    what: `${made.name} made this folder. From now on build by this line, in your script and on your host:`,
    lines: [[`${made.build} && npx rs-emit`, ...words, ...more].join(" ")],
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
