import { domainToUnicode } from "node:url";
import { siteHost } from "../read/place.ts";

/** What a collection or a source is called that says nothing of itself: its host's name, as people read it. */
export function hostTitle(url: string): string {
  const host = siteHost(url);
  return domainToUnicode(host) || host;
}
