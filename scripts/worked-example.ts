/** Writes the worked example into docs/architecture.md: `node scripts/worked-example.ts`. */
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emit } from "@rs-emit/core";

const FILE = join(import.meta.dirname, "../docs/architecture.md");
const BEGIN = "<!-- Example: written by scripts/worked-example.ts. -->";
const END = "<!-- End of the example. -->";

const CHANGE_LIST = "changelist/2026-10.xml";

/** What the author does before each publication. */
const PUBLICATIONS = [
  {
    now: "2026-10-01T12:00:00Z",
    edit: "The site has two pages, `index.html` and `moss.html`. Nothing was published before.",
    write: { "index.html": page("Home", "Welcome."), "moss.html": page("Moss", "It is green.") },
    remove: [],
  },
  {
    now: "2026-10-08T12:00:00Z",
    edit: "The author edits `moss.html` and adds `stone.html`.",
    write: { "moss.html": page("Moss", "It is soft."), "stone.html": page("Stone", "It is grey.") },
    remove: [],
  },
  {
    now: "2026-10-15T12:00:00Z",
    edit: "The author deletes `moss.html`.",
    write: {},
    remove: ["moss.html"],
  },
] as const;

/** The text with the example in place of the one it has. */
export async function withExample(text: string): Promise<string> {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`There is no place for it: ${BEGIN} … ${END}`);
  return `${text.slice(0, begin + BEGIN.length)}\n\n${await example()}\n\n${text.slice(end)}`;
}

/** The text of docs/architecture.md. */
export function architecture(): string {
  return readFileSync(FILE, "utf8");
}

async function example(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "rs-emit-example-"));
  try {
    const sections: string[] = [];
    for (const publication of PUBLICATIONS) sections.push(await publish(folder, publication));
    const entries = entriesOf(readFileSync(join(folder, CHANGE_LIST), "utf8"));
    return [...sections, `\`${CHANGE_LIST}\` then:`, block("xml", entries)].join("\n\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function publish(
  folder: string,
  publication: (typeof PUBLICATIONS)[number],
): Promise<string> {
  const { edit, now, remove, write } = publication;
  const seconds = Date.parse(now) / 1000 - 3600;
  for (const [name, text] of Object.entries(write)) {
    writeFileSync(join(folder, name), text);
    utimesSync(join(folder, name), seconds, seconds);
  }
  for (const name of remove) rmSync(join(folder, name));
  const { documents } = await emit({
    folder,
    now,
    url: "https://moss.example/",
    testAddress: true,
    previous: "output",
    history: "files",
  });
  const written = documents.filter(({ status }) => status === "written");
  const names = written.map(({ path }) => `\`${path}\``).join(", ");
  return `**${now}.** ${edit} Written: ${names}.`;
}

/** The entries of a list, one on each line, without what only rs-emit reads. */
function entriesOf(xml: string): string {
  const entries = xml.match(/<url>[\s\S]*?<\/url>/g) ?? [];
  return entries
    .map((entry) => entry.replaceAll(/\s+emit:\w+="[^"]*"/g, "").replaceAll(/\s*\n\s*/g, " "))
    .map((entry) =>
      entry.replaceAll(/(sha-256:[\da-f]{6})[\da-f]+/g, "$1…").replaceAll("> <", "><"),
    )
    .join("\n");
}

function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function page(title: string, text: string): string {
  return `<!doctype html><html lang="en"><title>${title}</title><main><p>${text}</p></main></html>\n`;
}

if (import.meta.main) writeFileSync(FILE, await withExample(architecture()));
