/**
 * Writes docs/options.md, and the options that most want into the READMEs, from the schemas and commands:
 * `node scripts/option-tables.ts`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { adapterOptions } from "../packages/adapter/src/options.ts";
import { pluginOptions as astro } from "../packages/astro/src/options.ts";
import { checkCommand } from "../packages/cli/src/check/arguments.ts";
import { initCommand } from "../packages/cli/src/init/index.ts";
import { logCommand } from "../packages/cli/src/log/index.ts";
import { neocitiesCommand } from "../packages/cli/src/neocities/arguments.ts";
import { notifyCommand } from "../packages/cli/src/notify/arguments.ts";
import { addRunOptions, newCommand } from "../packages/cli/src/option-groups.ts";
import { pastOptions } from "../packages/core/src/backfill/options.ts";
import { GROUPS_OF_RUNS, type OptionInfo } from "../packages/core/src/options/option.ts";
import { siteOptions } from "../packages/core/src/options/site-options.ts";
import { pluginOptions as eleventy } from "../packages/eleventy/src/options.ts";

const ROOT = join(import.meta.dirname, "..");

/** An option's schema, as far as the tables need it. */
interface Option extends OptionInfo {
  readonly default?: unknown;
  readonly wrapped?: { readonly type: string; readonly options?: unknown };
}

type Options = Readonly<Record<string, Option>>;

/** What most people who add a plugin want. */
const PLUGIN_OPTIONS = [
  "url",
  "link",
  "title",
  "author",
  "collections",
  "include",
  "sitemap",
  "onUnreachable",
];

const OF_RUNS: Options = siteOptions.entries;

/** Each file that has generated options, and what stands in it. */
export const FILES: ReadonlyMap<string, () => string> = new Map([
  [join(ROOT, "docs/options.md"), optionsPage],
  readme(
    "cli",
    flagTable([
      "--url",
      "--title",
      "--collection",
      "--link",
      "--source-folder",
      "--sitemap",
      "--note",
      "--dry-run",
    ]),
  ),
  readme("eleventy", table(eleventy.entries, PLUGIN_OPTIONS)),
  readme("astro", table(astro.entries, PLUGIN_OPTIONS)),
]);

const BEGIN = "<!-- Options: written by scripts/option-tables.ts. -->";
const END = "<!-- End of options. -->";

function readme(folder: string, options: string): readonly [file: string, text: () => string] {
  const file = join(ROOT, `packages/${folder}/README.md`);
  return [file, () => withOptions(readFileSync(file, "utf8"), options)];
}

/** A README with a table in place of the one it has. */
function withOptions(text: string, options: string): string {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin)
    throw new Error(`There is no place for the options: ${BEGIN} … ${END}`);
  return `${text.slice(0, begin + BEGIN.length)}\n\n${options}\n\n${text.slice(end)}`;
}

function optionsPage(): string {
  const left = Object.keys(OF_RUNS).filter((name) => !(name in adapterOptions.entries));
  const groups = [...GROUPS_OF_RUNS, "Run" as const];
  const inGroup = (group: string) =>
    Object.keys(OF_RUNS).filter((name) => OF_RUNS[name]?.flags?.[0]?.group === group);
  const inConfigs = Object.keys(OF_RUNS).filter(
    (name) => OF_RUNS[name]?.flags === undefined && name !== "folder",
  );
  const added = (options: Options) =>
    Object.keys(options).filter((name) => options[name]?.words !== OF_RUNS[name]?.words);
  const ofAll = added(adapterOptions.entries);
  const own = (options: Options) => added(options).filter((name) => !ofAll.includes(name));
  return `${[
    "# Options",
    "<!-- Written by scripts/option-tables.ts from the schemas and commands. Change those, then run it again. -->",
    "The first column is the name in `rs-emit.config.ts` and in the plugins, the second the flag of `rs-emit`. The command line wins " +
      "over the config. The folder of the built site is named first: `rs-emit ./dist`, or `folder` in a config.",
    ...groups.flatMap((group) => [`## ${group}`, table(OF_RUNS, inGroup(group), true)]),
    "## In a config or plugin",
    table(OF_RUNS, inConfigs),
    "## On the command line",
    flagsOfCommand(addRunOptions(newCommand("rs-emit", process, "")), inGroup("Run")),
    "## In the plugins",
    `Plugins take all options of the tables above but ${left.map(code).join(", ")}. Both have these, too:`,
    table(adapterOptions.entries, ofAll),
    "`@rs-emit/eleventy`:",
    table(eleventy.entries, own(eleventy.entries)),
    "`@rs-emit/astro`:",
    table(astro.entries, own(astro.entries)),
    "## `rs-emit backfill`",
    "Besides the options of the site, its pages and its log:",
    table(pastOptions.entries, Object.keys(pastOptions.entries), true),
    ...[
      neocitiesCommand(process),
      notifyCommand(process),
      logCommand(process),
      checkCommand(process),
      initCommand(process),
    ].flatMap((command) => [`## ${code(command.name())}`, flagsOfCommand(command)]),
  ].join("\n\n")}\n`;
}

/** Some of the options, by name. */
function table(options: Options, names: readonly string[], hasFlags = false): string {
  const rows = names.map((name): readonly string[] => {
    const { words = "", wrapped, default: fallback, flags = [] } = options[name] ?? {};
    const values = wrapped?.type === "picklist" ? [wrapped.options].flat().map(String) : [];
    return [
      code(name),
      ...(hasFlags ? [flags.map(({ flag }) => code(flag)).join(", ") || "–"] : []),
      fallback === undefined || String(fallback) === "" ? "–" : code(JSON.stringify(fallback)),
      values.length === 0 ? words : `${values.map(code).join(", ")}: ${words}`,
    ];
  });
  const head = ["option", ...(hasFlags ? ["flag"] : []), "default", "what it does"];
  return markdown(head, rows);
}

/** Some of the flags of a run, as they are typed. */
function flagTable(flags: readonly string[]): string {
  const all = Object.values(OF_RUNS).flatMap(({ flags: own = [], words }) =>
    own.map((one) => ({ ...one, words: one.words ?? words })),
  );
  const rows = flags.map((name) => {
    const found = all.find(({ flag }) => flag.split(" ")[0] === name);
    if (found === undefined) throw new Error(`There is no flag ${name}.`);
    return [code(found.flag), found.words];
  });
  return markdown(["option", "what it does"], rows);
}

/** @param leftOut options that stand in another table */
function flagsOfCommand(
  command: ReturnType<typeof newCommand>,
  leftOut: readonly string[] = [],
): string {
  const rows = command.options
    .filter((one) => one.long !== "--version" && !leftOut.includes(one.attributeName()))
    .map(({ flags, description }) => [code(flags), description]);
  return markdown(["flag", "what it does"], rows);
}

function code(text: string): string {
  return `\`${text}\``;
}

/** A table with columns of equal width, as the formatter leaves them. */
function markdown(head: readonly string[], body: readonly (readonly string[])[]): string {
  const rows = [head, ...body.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")))];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[], fill = " ") =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(" | ")} |`;
  const [first = "", ...others] = rows.map((row) => line(row));
  return [
    first,
    line(
      head.map(() => ""),
      "-",
    ),
    ...others,
  ].join("\n");
}

if (import.meta.main) {
  for (const [file, text] of FILES) writeFileSync(file, text());
}
