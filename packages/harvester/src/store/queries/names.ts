import { lineOf, readableAddress } from "@rs-emit/feeds";
import type { Description } from "../../model.ts";

export function descriptionIn(json: string | null): Description | null {
  return json === null ? null : JSON.parse(json);
}

/** Its title, else its address. */
export function nameOf(description: Description | null, url: string): string {
  return lineOf(description?.title ?? "") || readableAddress(url).replace(/\/$/, "");
}

/** A collection's description, completed by its source's, except for title and summary. */
export function inherited(
  collection: Description | null,
  source: Description | null,
): Description | null {
  if (source === null) return collection;
  const { title: _title, summary: _summary, ...common } = source;
  const own = collection ?? { authors: [] };
  return { ...common, ...own, authors: own.authors.length > 0 ? own.authors : source.authors };
}

/** The site's folder (ResourceSync 1.1, section 6.3); until the first check, the given address. */
export function siteOf(source: {
  readonly address: string | null;
  readonly description_url: string | null;
}): string {
  const url = source.description_url;
  if (url === null) return source.address ?? "";
  return new URL(url.includes("/.well-known/") ? ".." : ".", url).href;
}
