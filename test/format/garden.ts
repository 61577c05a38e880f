import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { EmitResult } from "@rs-emit/core";
import { QUICK_DISK } from "../model/documents.ts";
import type { Software } from "../model/software.ts";
import type { FrozenSite } from "./frozen.ts";

const DAY = 86_400;

/** When its pages were made. */
export const MADE = Date.UTC(2026, 8, 1, 8) / 1000;

const FIRST = Date.UTC(2026, 9, 5, 12) / 1000;
const SECOND = FIRST + 15 * DAY;
const THIRD = SECOND + 16 * DAY;

/** A page of the site, as its author thinks of it. */
interface Parts {
  readonly title: string;
  /** Paragraphs of its own content. */
  readonly own: readonly string[];
  readonly nav?: string;
  readonly head?: string;
  readonly comment?: string;
}

/** A folder with the pages of a small site, which an author edits and publishes. */
export class Garden {
  readonly folder: string;
  readonly site: FrozenSite;

  constructor(folder: string, site: FrozenSite) {
    this.folder = folder;
    this.site = site;
    this.#setTimes();
  }

  write(path: string, { title, own, nav = "Menu", head = "", comment = "" }: Parts): this {
    const text = own.map((one) => `<p>${one}</p>`).join("");
    return this.put(
      path,
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head>` +
        `<body><nav>${nav}</nav><main><h1>${title}</h1>${text}</main>${comment}</body></html>\n`,
    );
  }

  put(path: string, text: string): this {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    utimesSync(file, MADE, MADE);
    return this;
  }

  remove(path: string): this {
    rmSync(join(this.folder, path));
    return this;
  }

  move(path: string, to: string): this {
    return this.put(to, readFileSync(join(this.folder, path), "utf8")).remove(path);
  }

  publish(software: Software, time: number): Promise<EmitResult> {
    const { url, options, onDemand, entries } = this.site;
    return software.emit(
      { folder: this.folder, url, previous: "output", history: "files", ...options },
      {
        clock: () => time,
        fileSystem: QUICK_DISK,
        ...(onDemand && { builder: { project: this.folder, sourceFiles: () => [], onDemand } }),
        ...(entries && { limits: { entries } }),
      },
    );
  }

  /** A clone of a repository has other times. */
  #setTimes(): void {
    const files = readdirSync(this.folder, { recursive: true, withFileTypes: true });
    for (const { parentPath, name } of files.filter((one) => one.isFile())) {
      utimesSync(join(parentPath, name), MADE, MADE);
    }
  }
}

const NOTE = '<meta name="rs-emit:note" content="It stands">';

/** The texts of a page that goes, and stand on another page then. */
const POND = ["Two frogs live in it.", "Iris grows at its edge.", "It freezes in January."];

/** The pages of every frozen site, before its first publication. */
export function plant(garden: Garden): void {
  garden
    .write("index.html", { title: "The garden", own: ["What grows on a north wall."] })
    .write("moss.html", { title: "Moss", own: ["Green all the year."] })
    .write("fern.html", { title: "Fern", own: ["It unrolls in May."] })
    .write("stone.html", { title: "Stone", own: ["It was here before."] })
    .write("ink.html", { title: "Ink", own: ["Made of oak galls."] })
    .write("old.html", { title: "Lamp", own: ["It burns at night, above the door."] })
    .write("wall.html", { title: "Wall", own: ["Of river stones."], head: NOTE })
    .write("pond.html", { title: "Pond", own: POND })
    .write("draft.html", {
      title: "Draft",
      own: ["Not yet."],
      head: '<meta name="robots" content="noindex">',
    })
    .write("twin.html", {
      title: "Twin",
      own: ["The same as moss, for old links."],
      head: `<link rel="canonical" href="${garden.site.url}moss.html">`,
    })
    .write("shrine/index.html", { title: "The shrine", own: ["In the wood."] });
}

/**
 * What a frozen site's author did: three publications.
 *
 * @param onPublished is told the time of each
 */
export async function grow(
  garden: Garden,
  software: Software,
  onPublished: (time: number) => Promise<void> = async () => {},
): Promise<void> {
  const publish = async (time: number) => {
    await garden.publish(software, time);
    await onPublished(time);
  };
  await publish(FIRST);
  garden
    .write("moss.html", {
      title: "Moss",
      own: ["Green all the year.", "A new cushion on the step."],
    })
    .write("ink.html", { title: "Ink", own: ["Made of oak galls.", ...POND] })
    .remove("pond.html")
    .write("wall.html", { title: "Wall", own: ["Of river stones, and slate."], head: NOTE })
    .move("old.html", "lamp.html");
  await publish(SECOND);
  garden
    .write("fern.html", { title: "Fern", own: ["It unrolls in May."], nav: "Start" })
    .write("shrine/index.html", { title: "The shrine", own: ["In the wood, with a lamp."] });
  await publish(THIRD);
}

/** The time of its last publication: UTC seconds. */
export const LAST = THIRD;

/** When an author publishes what `edit` does. */
export const NEXT = THIRD + 20 * DAY;

/** What an author does next, on a frozen site of any version. */
export function edit(garden: Garden): void {
  garden
    .write("new.html", { title: "New", own: ["A bench in the sun."] })
    .write("moss.html", {
      title: "Moss",
      own: ["Green all the year.", "A new cushion on the step.", "Another one under the gutter."],
    })
    .write("fern.html", { title: "Fern", own: ["It unrolls in May."], nav: "Begin" })
    .write("stone.html", {
      title: "Stone",
      own: ["It was here before."],
      comment: "<!-- built at noon -->",
    })
    .write("wall.html", { title: "Wall", own: ["Of slate alone."], head: NOTE })
    .write("draft.html", { title: "Draft", own: ["Not yet."] })
    .move("lamp.html", "lantern.html")
    .remove("ink.html");
}
