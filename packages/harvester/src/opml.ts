import { documentOf, element, lineOf, readableAddress, webLink } from "@rs-emit/feeds";

export const OPML_TYPE = "text/x-opml";

/** A feed that is followed. */
export interface FollowedFeed {
  readonly title: string;
  /** Where the feed stands; may be relative to the list. */
  readonly xmlUrl: string;
  /** What the feed is about: a collection, or a site. */
  readonly htmlUrl?: string;
}

/** A list of feeds as OPML 2.0 ("subscription lists"), as feed readers import it. */
export function opml(feeds: readonly FollowedFeed[], title = "Followed sites"): string {
  const outlines = feeds.map((feed) => {
    const name = lineOf(feed.title) || readableAddress(feed.htmlUrl ?? feed.xmlUrl);
    const { xmlUrl } = feed;
    const htmlUrl = webLink(feed.htmlUrl);
    // Some readers show text, some title.
    return element("outline", { type: "rss", text: name, title: name, xmlUrl, htmlUrl });
  });
  return documentOf(
    element("opml", { version: "2.0" }, [
      element("head", {}, [element("title", {}, [lineOf(title)])]),
      element("body", {}, outlines),
    ]),
  );
}
