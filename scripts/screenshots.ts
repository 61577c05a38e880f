/** Takes the pictures of the README with Chromium: `node scripts/screenshots.ts`. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { emit } from "@rs-emit/core";
import { DomUtils, parseDocument } from "htmlparser2";
import { type Browser, chromium } from "playwright-core";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const IMAGES = join(import.meta.dirname, "../docs/images");

const STYLE = `
  body { font: 16px/1.5 Georgia, "DejaVu Serif", serif; color: #24301f; background: #f6f4ea; margin: 0 }
  main { width: 28em; padding: 1.2em 1.6em }
  h1 { font-size: 1.6em } h2 { font-size: 1.25em } h1, h2 { line-height: 1.2; margin: .3em 0 } a { color: #2f6b3c }
  ul { padding-left: 1.2em; margin: .4em 0 } li { margin: .3em 0 } p { margin: .4em 0 }
  .reader-date { color: #7a7764; font-size: .85em }`;

/** Of the page's list. */
const OWN_LOOK = `
  .rs-emit-dash { display: none } .rs-emit-new { display: block } .rs-emit-date { color: #7a7764; font-size: .85em }`;

/** Each look that docs/recipes.md shows, by its heading. */
function looksOfTheList(): readonly { readonly name: string; readonly css: string }[] {
  const recipes = readFileSync(join(import.meta.dirname, "../docs/recipes.md"), "utf8");
  return [...recipes.matchAll(/^### (\w+)\n.*?^```css\n(.*?)^```/gms)].map(
    ([, name = "", css = ""]) => ({ name: name.toLowerCase(), css }),
  );
}

/** What the author does before each publication: pages by file name, with what stands in them. */
const PUBLICATIONS = [
  {
    now: "2026-09-19T17:00:00Z",
    pages: { index: "", moss: "Cushion mosses of the north wall", windows: "Small windows" },
  },
  {
    now: "2026-09-28T17:00:00Z",
    pages: { envelope: "The envelope from Aberfoyle" },
  },
  {
    now: "2026-10-05T18:30:00Z",
    note: "The moss shrine has a new wing: ferns.",
    pages: {
      moss: "Cushion mosses of the north wall</p><p>Two ferns came up between the stones",
      ferns: "Ferns on the stairs",
    },
  },
] as const;

const TITLES: Readonly<Record<string, string>> = {
  index: "The Moss Shrine",
  moss: "Cushion mosses",
  windows: "Small windows",
  envelope: "The envelope",
  ferns: "Ferns",
};

await takePictures();

async function takePictures(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "rs-emit-screenshots-"));
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    for (const publication of PUBLICATIONS) await publish(folder, publication);
    const home = join(folder, "index.html");
    await takePicture(browser, home, "whats-new.png");
    for (const { name, css } of looksOfTheList()) {
      const dressed = join(folder, "look.html");
      writeFileSync(dressed, readFileSync(home, "utf8").replace(OWN_LOOK, css));
      await takePicture(browser, dressed, `list-${name}.png`, "[data-rs-emit=changes]");
    }
    const reader = join(folder, "reader.html");
    writeFileSync(reader, readerPage(readFileSync(join(folder, "changes.atom"), "utf8")));
    await takePicture(browser, reader, "feed-entry.png");
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

async function publish(folder: string, publication: (typeof PUBLICATIONS)[number]): Promise<void> {
  const { now, pages } = publication;
  const seconds = Date.parse(now) / 1000 - 3600;
  for (const [name, text] of Object.entries(pages)) {
    const file = join(folder, `${name}.html`);
    writeFileSync(file, page(TITLES[name] ?? name, text));
    utimesSync(file, seconds, seconds);
  }
  await emit({
    folder,
    now,
    url: "https://moss.example/",
    title: "The Moss Shrine",
    author: "Ines Harrow",
    previous: "output",
    history: "files",
    note: "note" in publication ? publication.note : undefined,
  });
}

function page(title: string, text: string): string {
  const content =
    text === ""
      ? '<p>What grows on a north wall.</p><h2>What’s new</h2><ul data-rs-emit="changes"></ul>'
      : `<p>${text}</p>`;
  return inLayout(title, content);
}

function inLayout(title: string, content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>${STYLE}${OWN_LOOK}</style></head><body><main><h1>${title}</h1>${content}</main></body></html>`;
}

/** The newest entry as a feed reader shows it: its title, the author and the date, and its HTML. */
function readerPage(atom: string): string {
  const feed = parseDocument(atom, { xmlMode: true });
  const [entry] = DomUtils.getElementsByTagName("entry", feed);
  if (entry === undefined) throw new Error("The feed has no entry.");
  const text = (name: string) =>
    DomUtils.textContent(DomUtils.getElementsByTagName(name, entry)[0] ?? []);
  const [content] = DomUtils.getElementsByTagName("content", entry);
  const [author] = DomUtils.getElementsByTagName("name", feed);
  const date = text("published").slice(0, 16).replace("T", " ");
  const origin = `<p class="reader-date">${DomUtils.textContent(author ?? [])} · ${date} UTC</p>`;
  return inLayout(
    text("title"),
    `${origin}${content === undefined ? "" : DomUtils.textContent(content)}`,
  );
}

async function takePicture(
  browser: Browser,
  file: string,
  name: string,
  part = "main",
): Promise<void> {
  const view = await browser.newPage({ deviceScaleFactor: 1.25, javaScriptEnabled: false });
  await view.goto(pathToFileURL(file).href);
  const path = join(IMAGES, name);
  mkdirSync(dirname(path), { recursive: true });
  await view.locator(part).screenshot({ path });
  await view.close();
}
