import { Parser } from "htmlparser2";
import { placeKey } from "../model/redirects.ts";
import type { PageFile } from "../model/resources.ts";
import { decode } from "../page/charset.ts";

/**
 * The files to which pages link, by `a` and `area`, also over other such files.
 * @param pages only those whose bytes have a file's name are parsed
 */
export function linkedPages<File extends PageFile>(
  files: readonly File[],
  pages: readonly PageFile[],
  bytesOf: (page: PageFile) => Uint8Array,
): ReadonlySet<File> {
  const linked = new Set<File>();
  const left = new Map(files.map((file) => [placeKey(file.url), file]));
  const queue = [...pages];
  for (const page of queue) {
    if (left.size === 0) break;
    const bytes = Buffer.from(bytesOf(page));
    if (![...left.values()].some((file) => namesOf(file).some((name) => bytes.includes(name))))
      continue;
    for (const place of placesIn(decode(bytes), page.url)) {
      const file = left.get(place);
      if (file === undefined) continue;
      left.delete(place);
      linked.add(file);
      queue.push(file);
    }
  }
  return linked;
}

/** Links may spell a name as it is or encoded, with or without its extension. */
function namesOf({ file }: PageFile): readonly string[] {
  const name = file.slice(file.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
  return [name, encodeURI(name)];
}

function placesIn(html: string, url: string): readonly string[] {
  const places: string[] = [];
  const parser = new Parser({
    onopentag(name, { href = "" }) {
      const isLink = name === "a" || name === "area";
      if (isLink && URL.canParse(href, url))
        places.push(placeKey(new URL(href, url).href.replace(/[?#].*$/s, "")));
    },
  });
  parser.end(html);
  return places;
}
