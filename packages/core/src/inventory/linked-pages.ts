import { Parser } from "htmlparser2";
import { placeKey } from "../model/redirects.ts";
import type { PageFile } from "../model/resources.ts";
import { decode } from "../page/charset.ts";

/** Each link to such a file has its name: to others, links may spell it in several ways, or leave it out. */
const PLAIN_NAME = /(?:^|\/)(?!index\.)([\w-]+)\.\w+$/;

/** The files to which pages link, by `a` and `area`, also over other such files. */
export function linkedPages<File extends PageFile>(
  files: readonly File[],
  pages: readonly PageFile[],
  bytesOf: (page: PageFile) => Uint8Array,
): ReadonlySet<File> {
  const linked = new Set<File>();
  const left = new Map(
    files.map((file) => [
      placeKey(file.url),
      { file, name: PLAIN_NAME.exec(file.file)?.[1] ?? "" },
    ]),
  );
  const queue = [...pages];
  for (const page of queue) {
    if (left.size === 0) break;
    const html = decode(bytesOf(page));
    // Parsing takes longer than reading.
    if (![...left.values()].some(({ name }) => html.includes(name))) continue;
    for (const place of linkedPlaces(html, page.url)) {
      const found = left.get(place);
      if (found === undefined) continue;
      left.delete(place);
      linked.add(found.file);
      queue.push(found.file);
    }
  }
  return linked;
}

function linkedPlaces(html: string, url: string): readonly string[] {
  const places: string[] = [];
  const parser = new Parser({
    onopentag(name, { href }) {
      const isLink = (name === "a" || name === "area") && href !== undefined;
      if (!isLink || !URL.canParse(href, url)) return;
      places.push(placeKey(new URL(href, url).href.replace(/[?#].*$/s, "")));
    },
  });
  parser.end(html);
  return places;
}
