import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { styleText } from "node:util";
import type { Site } from "./history.ts";

const ROOT = join(import.meta.dirname, "../..");
const COMMAND = join(ROOT, "packages/cli/bin/rs-emit.js");

/** An example site, and how its author publishes it. */
export interface Example {
  readonly about: string;
  readonly url: string;
  /** Where its pages and documents stand, and what to look at there. */
  readonly output: string;
  readonly documents: readonly (readonly [file: string, about: string])[];
  /** What its builder needs beside the sources. */
  readonly prepare: (site: Site) => void;
  /** The first publication, where it is another command. */
  readonly publishFirst?: (site: Site) => void;
  /** @param now a W3C datetime; the present where absent */
  readonly publish: (site: Site, now?: string) => void;
}

export const EXAMPLES: Readonly<Record<string, Example>> = {
  handmade: {
    about:
      "Two shrines and a gallery, made by hand in eight commits since August. Git knows when each page was " +
      "made and edited, so the log begins there.",
    url: "https://handmade.example/",
    output: "site",
    documents: [
      [".well-known/resourcesync", "where followers begin"],
      ["moss-shrine/changelist.xml", "the log of a collection, by month"],
      ["moss-shrine/changelist/2026-10.xml", "one month: created, updated, deleted"],
      ["moss-shrine/resourcelist.xml", "every page as it is now"],
    ],
    prepare: () => {},
    publish: (site, now) => {
      const more = now === undefined ? [] : ["--now", now];
      show(["npx rs-emit", ...more].join(" "));
      run(site, [COMMAND, ...more], {});
    },
  },
  eleventy: {
    about:
      "A digital garden, built by Eleventy from Markdown. Once, each commit is built again, so that the log " +
      "begins with the whole past. Then one line in its config, and each build publishes.",
    url: "https://garden.example/",
    output: "_site",
    documents: [
      ["changelist.xml", "the log, by month"],
      ["resourcelist.xml", "every page as it is now"],
    ],
    prepare: (site) => linkModules(site, "eleventy"),
    publishFirst: (site) => {
      const url = "https://garden.example/";
      show(`npx rs-emit backfill _site --build "npx @11ty/eleventy" --url ${url}`);
      const build = `"${process.execPath}" node_modules/@11ty/eleventy/cmd.cjs`;
      const args = ["backfill", "_site", "--build", build, "--url", url];
      run(site, [COMMAND, ...args], {});
    },
    publish: (site, now) => {
      show("npx @11ty/eleventy");
      removePages(join(site.folder, "_site"));
      const build = () =>
        run(site, [join(site.folder, "node_modules/@11ty/eleventy/cmd.cjs")], {
          only: "[rs-emit]",
        });
      atTime(site, "eleventy.config.js", now, build);
    },
  },
  astro: {
    about:
      "A gallery, built by Astro from a content collection. Astro empties its output folder at each build: the " +
      "documents in it are read before.",
    url: "https://gallery.example/",
    output: "dist",
    documents: [
      ["changelist.xml", "the log, by month"],
      ["resourcelist.xml", "every page as it is now"],
    ],
    prepare: (site) => linkModules(site, "astro"),
    publish: (site, now) => {
      show("npx astro build");
      const program = join(site.folder, "node_modules/astro/bin/astro.mjs");
      const build = () => run(site, [program, "build"], { only: "[@rs-emit/astro]" });
      atTime(site, "astro.config.mjs", now, build);
    },
  },
};

/** Shows a command as its author would type it. */
export function show(command: string): void {
  process.stdout.write(`${styleText("dim", "$")} ${command}\n\n`);
}

function linkModules(site: Site, example: string): void {
  symlinkSync(join(ROOT, "examples", example, "node_modules"), join(site.folder, "node_modules"));
}

/** Eleventy leaves what it wrote before; a fresh checkout, as in CI, has none of it. */
function removePages(output: string): void {
  if (!existsSync(output)) return;
  for (const file of readdirSync(output, { recursive: true, encoding: "utf8" })) {
    if (file.endsWith(".html")) rmSync(join(output, file));
  }
}

/** The demo plays months in a minute: the config says what time it is. */
function atTime(site: Site, config: string, now: string | undefined, build: () => void): void {
  const original = site.read(config);
  const timed = original
    .replace("rsEmit()", `rsEmit({ now: "${now}" })`)
    .replace(/(addPlugin\(rsEmit, \{)/, `$1 now: "${now}",`);
  if (timed === original) throw new Error(`${config} has no place for the time`);
  if (now !== undefined) site.write(config, timed);
  build();
  site.write(config, original);
}

/** Runs a command in the site; of a builder's many lines `only` those of ours are shown. */
function run(site: Site, args: readonly string[], { only }: { only?: string }): void {
  const { CI: _, ...inherited } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: site.folder,
    encoding: "utf8",
    env: { ...inherited, ASTRO_TELEMETRY_DISABLED: "1" },
    stdio: only === undefined ? "inherit" : "pipe",
  });
  if (only !== undefined) {
    const lines = `${stdout}${stderr}`.split("\n");
    const shown = status === 0 ? lines.filter((line) => line.includes(only)) : lines;
    process.stdout.write(`${shown.join("\n")}\n`);
  }
  if (status !== 0) process.exit(status ?? 1);
}
