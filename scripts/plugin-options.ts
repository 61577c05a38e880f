/** Writes the options into the READMEs of the plugins, from their schemas: `node scripts/plugin-options.ts`. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pluginOptions as astro } from "../packages/astro/src/options.ts";
import type { OptionInfo } from "../packages/core/src/options/option.ts";
import { pluginOptions as eleventy } from "../packages/eleventy/src/options.ts";

const BEGIN = "<!-- Options: written by scripts/plugin-options.ts from the schema. -->";
const END = "<!-- End of options. -->";

type OptionsSchema = typeof astro | typeof eleventy;

/** The README of each plugin, and the schema of its options. */
export const PLUGINS = [
  { readme: readmeOf("eleventy"), schema: eleventy },
  { readme: readmeOf("astro"), schema: astro },
];

/** A README with the table of a schema's options in place of the one it has. */
export function withOptions(readme: string, schema: OptionsSchema): string {
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin < 0 || end < begin)
    throw new Error(`There is no place for the options: ${BEGIN} … ${END}`);
  return `${readme.slice(0, begin + BEGIN.length)}\n\n${tableOf(schema)}\n\n${readme.slice(end)}`;
}

/** An option's schema, as far as the table needs it. */
interface Option extends OptionInfo {
  readonly default?: unknown;
  readonly wrapped?: { readonly type: string; readonly options?: unknown };
}

function tableOf(schema: OptionsSchema): string {
  const rows = Object.entries<Option>(schema.entries).map(([name, option]): readonly string[] => {
    const { words, wrapped, default: fallback } = option;
    const values = wrapped?.type === "picklist" ? [wrapped.options].flat().map(String) : [];
    return [
      code(name),
      fallback === undefined ? "–" : code(JSON.stringify(fallback)),
      values.length === 0 ? words : `${values.map(code).join(", ")}: ${words}`,
    ].map((cell) => cell.replaceAll("|", "\\|"));
  });
  return aligned([["option", "default", "what it does"], ...rows]).join("\n");
}

function code(text: string): string {
  return `\`${text}\``;
}

/** Rows of a Markdown table with columns of equal width, as the formatter leaves them. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const columns = [0, 1, 2].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[], fill = " ") =>
    `| ${cells.map((cell, column) => cell.padEnd(columns[column] ?? 0, fill)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(["", "", ""], "-"), ...body.map((row) => line(row))];
}

function readmeOf(plugin: string): string {
  return join(import.meta.dirname, `../packages/${plugin}/README.md`);
}

if (import.meta.main) {
  for (const { readme, schema } of PLUGINS) {
    writeFileSync(readme, withOptions(readFileSync(readme, "utf8"), schema));
  }
}
