import { list, urlKey } from "@rs-emit/documents";
import type { Environment } from "../model/environment.ts";
import { EmitError, NOTHING_WRITTEN } from "../model/errors.ts";
import { publishedCollections, type Recalled } from "../model/publication.ts";
import type { Inventory, PageLinks, UnfinishedPage } from "../model/resources.ts";
import { mention, sentence } from "../model/sentence.ts";
import type { Settings } from "../options/settings.ts";
import { isXhtml } from "../page/placeholders/find-placeholders.ts";
import { linksOf, replacementsForLinks } from "./links.ts";

const NAMED = 3;

/**
 * Asks before links are written into pages that were published without them. A builder's pages come without them at
 * each build, and were published with them.
 * @throws {EmitError} `LINKS_DECLINED`
 */
export async function confirmLinks(
  { link, dryRun, collections, feed }: Settings,
  { confirmLinks: ask }: Pick<Environment, "confirmLinks">,
  { unfinished }: Pick<Inventory, "unfinished">,
  recalled: Recalled,
): Promise<void> {
  if (!link || dryRun || ask === undefined) return;
  const published = publishedCollections(recalled);
  const hashes = new Map(
    published.flatMap(({ snapshot }) => [...snapshot].map(([key, { hash }]) => [key, hash])),
  );
  const pages = unfinished
    .filter((page) => {
      const collection = collections.find(({ url }) => url === page.collection);
      return collection !== undefined && getsLinks(page, linksOf(collection, feed, ""));
    })
    .filter(({ url, hash }) => published.length === 0 || hashes.get(urlKey(url)) === hash)
    .map(({ file }) => file);
  if (pages.length === 0) return;
  const error = declinedError(pages);
  if (!(await ask(error.problem))) throw error;
}

function getsLinks({ file, url, isResource, own }: UnfinishedPage, links: PageLinks): boolean {
  if (!isResource || "html" in own || own.ownLinks.length > 0) return false;
  return replacementsForLinks(own, links, { url, xhtml: isXhtml(file) }, () => "").length > 0;
}

function declinedError(pages: readonly string[]): EmitError {
  const what = pages.length === 1 ? "1 page" : `${pages.length} pages`;
  return new EmitError({
    code: "LINKS_DECLINED",
    problem: sentence`The option ${mention("link")} writes two links into the head of ${what}: ${list(pages, NAMED)}.`,
    cure: "Leave the option out, and paste the tags that the summary then shows into your pages.",
    outcome: NOTHING_WRITTEN,
    option: "link",
  });
}
