import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** The text of every HTML file below a folder, by its path. */
export function htmlIn(folder: string): Map<string, string> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".html"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new Map(files.map((file) => [relative(folder, file), readFileSync(file, "utf8")]));
}

/** A page in Astro's language, or any other: its title, and what it says. */
export function page(title: string, text = title): string {
  return `<html lang="en"><head><title>${title}</title></head><body><main>${text}</main></body></html>\n`;
}

/** A file with front matter. */
export function entry(
  data: Readonly<Record<string, unknown>>,
  text: string,
  newline = "\n",
): string {
  const lines = Object.entries(data).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return ["---", ...lines, "---", "", text, ""].join(newline);
}
