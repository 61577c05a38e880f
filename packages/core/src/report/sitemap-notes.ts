import { list, plural } from "@rs-emit/documents";
import { SITEMAP_PROGRAMS } from "../model/errors.ts";
import { type Note, TextNote } from "../model/note.ts";
import { mention, sentence } from "../model/sentence.ts";
import type { SitemapState } from "../model/sitemap-state.ts";
import type { Settings } from "../options/settings.ts";

/** Whether the author must act so that search engines find this sitemap, and no other sitemap beside it. */
export function sitemapNotes(sitemap: SitemapState | undefined, { site }: Settings): Note[] {
  if (sitemap === undefined) return [];
  const { url, pages, isNamed, isNew, others } = sitemap;
  if (pages === 0) {
    const text =
      "No sitemap was written: the site has no page that search engines may list. See what robots.txt, " +
      "_headers and the pages themselves tell them.";
    return [new TextNote("NO_SITEMAP", text)];
  }
  const isOfHost = new URL(site).pathname === "/";
  const line = isOfHost
    ? sentence`Search engines find the sitemap by a line of robots.txt: Sitemap: ${url} The option ${mention("robots")} writes it.`
    : `Search engines read robots.txt at the host's root alone: tell them of ${url} in their consoles.`;
  return [
    ...(isNew && !isNamed ? [new TextNote("SITEMAP_NOT_NAMED", [line].flat())] : []),
    ...(others.length === 0 ? [] : [otherSitemaps(others, url)]),
  ];
}

function otherSitemaps(others: readonly string[], url: string): Note {
  const text =
    `Search engines are told of ${list(others)} too, and ${plural(others.length, "its", "their")} dates may ` +
    `differ from those of ${url}. Keep one of them: turn off what writes the other (${SITEMAP_PROGRAMS}), ` +
    "and name only the one that stays in robots.txt.";
  return new TextNote("TWO_SITEMAPS", text);
}
