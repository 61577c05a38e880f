import { placeKey } from "../model/redirects.ts";
import type { PageFile } from "../model/resources.ts";
import { decode } from "../page/charset.ts";
import { unescaped } from "../page/content/form-tokens.ts";

/** Comments are skipped. */
const LINK =
  /<!--.*?(?:-->|$)|<(?:a|area)\s[^<>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gis;

/** The files to which pages link, by `a` and `area`, also over other such files. */
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
    for (const [, ...quoted] of decode(bytesOf(page)).matchAll(LINK)) {
      const address = unescaped(quoted.join(""));
      if (!URL.canParse(address, page.url)) continue;
      const place = placeKey(new URL(address, page.url).href.replace(/[?#].*$/s, ""));
      const file = left.get(place);
      if (file === undefined) continue;
      left.delete(place);
      linked.add(file);
      queue.push(file);
    }
  }
  return linked;
}
