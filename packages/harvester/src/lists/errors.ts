import { numeral } from "@rs-emit/feeds";
import { HarvestError } from "../errors.ts";

/** A site without a Change List and without a list of its pages. */
export class NoListError extends HarvestError {
  readonly code = "NO_LIST";
  /** @param places the addresses that were tried */
  constructor(places: readonly string[]) {
    super(
      "This site publishes neither ResourceSync documents nor a list of its pages: robots.txt names no sitemap in XML, the " +
        `page has no link to one, and there is none at ${places.join(", ")}. ` +
        "To be followed, its author has to publish a sitemap or, better, a Change List, as rs-emit does.",
    );
  }
}

/** A list that is empty now and had pages before. No site loses all its pages at once. */
export class EmptyListError extends HarvestError {
  readonly code = "EMPTY_LIST";
  constructor(url: string) {
    super(`${url} lists no page. Nothing is told of that: the next check reads it again.`);
  }
}

/** The lists of a site exceed the limits for comparing. */
export class TooManyPagesError extends HarvestError {
  readonly code = "TOO_MANY_PAGES";
  /** @param what such as "pages" */
  constructor(url: string, most: number, what: string) {
    super(
      `The lists of this site, up to ${url}, name more than ${numeral(most)} ${what}, so they are not ` +
        "compared. Follow a part of the site by the address of its own list, or raise the limit (--max-pages).",
    );
  }
}
