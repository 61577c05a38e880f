import { lineOf, readableAddress } from "@rs-emit/feeds";
import type { Description } from "../../model.ts";

/** A description as it is stored. */
export function descriptionIn(json: string | null): Description | null {
  return json === null ? null : JSON.parse(json);
}

/** What a source or a collection is called: its own title, else where it is. */
export function nameOf(description: Description | null, url: string): string {
  return lineOf(description?.title ?? "") || readableAddress(url).replace(/\/$/, "");
}

/** What a collection says of itself, and where it is silent, its source of all of them; not its title. */
export function inherited(
  collection: Description | null,
  source: Description | null,
): Description | null {
  if (source === null) return collection;
  const { title: _title, summary: _summary, ...common } = source;
  const own = collection ?? { authors: [] };
  return { ...common, ...own, authors: own.authors.length > 0 ? own.authors : source.authors };
}

/**
 * The site that a source is: the folder that its Source Description speaks for (ResourceSync 1.1, section
 * 6.3), or what its follower gave, as long as that is unknown.
 */
export function siteOf(source: {
  readonly address: string | null;
  readonly description_url: string | null;
}): string {
  const url = source.description_url;
  if (url === null) return source.address ?? "";
  return new URL(url.includes("/.well-known/") ? ".." : ".", url).href;
}
