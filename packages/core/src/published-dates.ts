import { urlKey } from "@rs-emit/documents";
import { timestamp } from "@rs-emit/feeds";
import { withChangedTimes } from "./gather/log-facts.ts";
import type { Environment } from "./model/environment.ts";
import { EmitError } from "./model/errors.ts";
import {
  type CollectionPublication,
  changedOf,
  publishedCollections,
} from "./model/publication.ts";
import type { EmitOptions } from "./options/emit-options.generated.ts";
import { parseOptions } from "./options/settings.ts";
import { recallFrom } from "./recall/previous-publication.ts";

/** When a page's content last changed: a W3C datetime, where it is known; `url` is the page's URL in any spelling. */
export type LastChanged = (url: string) => string | undefined;

/** Asks the live site where the log is not here. The publication at the end of the build reports what is wrong with it. */
export async function publishedDates(
  options: EmitOptions,
  environment: Environment,
): Promise<LastChanged> {
  try {
    const recalled = await recallFrom(parseOptions(options), environment);
    const changedAt = datesIn(await withChangedTimes(publishedCollections(recalled)));
    return (url) => {
      const changed = changedAt(url);
      return changed === undefined ? undefined : timestamp(changed);
    };
  } catch (error) {
    if (error instanceof EmitError) return () => undefined;
    throw error;
  }
}

export function datesIn(
  published: readonly CollectionPublication[],
): (url: string) => number | undefined {
  const known = published.flatMap(({ snapshot }) => [...snapshot.values()]);
  // A site may have both `a.html` and `a/`: a page's own spelling is that page.
  const urls = new Map(
    [looseKey, urlKey].flatMap((keyOf) => known.map(({ url }) => [keyOf(url), url] as const)),
  );
  const changedAt = changedOf(published);
  return (url) => changedAt(urls.get(urlKey(url)) ?? urls.get(looseKey(url)) ?? url);
}

/** A development server may spell a page's URL differently than the host. */
function looseKey(url: string): string {
  return urlKey(url).replace(/(?:\/index)?(?:\.s?html?)?\/?$/, "");
}
