import { at, DESCRIPTION } from "../documents.ts";
import {
  CAPABILITIES,
  capabilityless,
  drop,
  dropLink,
  judged,
  LIST,
  LISTS,
  NOTIFICATION,
  OCTOBER,
  SITE,
  swap,
} from "./site.ts";

export function capabilities(): void {
  judged(
    "capability-list-capability",
    "A Capability List does not say that it is one.",
    ["I20 error", "R67a error"],
    CAPABILITIES,
    capabilityless,
    { also: [DESCRIPTION] },
  );
  judged(
    "capability-list-up",
    "A Capability List does not link the Source Description.",
    ["I17 error", "R67b error"],
    CAPABILITIES,
    dropLink("up"),
  );
  judged(
    "capability-list-describes",
    "A Capability List does not name its collection.",
    ["I18 error"],
    CAPABILITIES,
    dropLink("describes"),
  );
  judged(
    "capability-list-describedby",
    "A Capability List links no metadata of its set.",
    ["I19 warning", "R67c warning"],
    CAPABILITIES,
    dropLink("describedby"),
  );
  judged(
    "capability-list-without-change-list",
    "A Capability List names no Change List.",
    ["I21 error"],
    CAPABILITIES,
    drop(/ {2}<url>\s*<loc>[^<]*changelist\.xml<\/loc>[\s\S]*?<\/url>\n/),
  );
  judged(
    "capability-twice",
    "A Capability List has two entries for one capability.",
    ["R65 error", "I21 error"],
    CAPABILITIES,
    swap(
      "</urlset>",
      `  <url><loc>${at(OCTOBER)}</loc><rs:md capability="changelist"/></url>\n</urlset>`,
    ),
  );
  judged(
    "capability-entry-capability",
    "An entry of a Capability List does not say which capability it is.",
    ["R67e error"],
    CAPABILITIES,
    drop(' capability="resourcelist"'),
  );
  judged(
    "capability-entry-loc",
    "An entry of a Capability List has no loc.",
    ["R67d error", "R43 error"],
    CAPABILITIES,
    drop(/ *<loc>[^<]*resourcelist\.xml<\/loc>\n/),
  );
  judged(
    "capability-list-lastmod",
    "An entry of a Capability List has lastmod.",
    ["R68a warning"],
    CAPABILITIES,
    swap("</loc>", "</loc>\n    <lastmod>2026-10-01T00:00:00Z</lastmod>"),
  );
  judged(
    "capability-list-index",
    "There is no index of Capability Lists.",
    ["R68b warning"],
    CAPABILITIES,
    (text) =>
      text
        .replaceAll("urlset", "sitemapindex")
        .replaceAll("<url>", "<sitemap>")
        .replaceAll("</url>", "</sitemap>"),
    { also: [DESCRIPTION] },
  );
  judged(
    "loc-of-a-change-list-leads-elsewhere",
    "What is called a Change List is a Resource List.",
    ["I23 error"],
    CAPABILITIES,
    swap(at(LISTS), at(LIST)),
  );
  judged(
    "loc-of-a-capability-list-leads-elsewhere",
    "What is called a Capability List is a Resource List.",
    ["I16 error"],
    DESCRIPTION,
    swap(at(CAPABILITIES), at(LIST)),
    { also: [CAPABILITIES] },
  );
  judged(
    "hub",
    "A channel of notifications does not link its hub.",
    ["N30b error"],
    CAPABILITIES,
    swap(
      "</urlset>",
      `  <url><loc>${at("/notification.xml")}</loc><rs:md capability="change-notification"/></url>\n</urlset>`,
    ),
    { site: { ...SITE, "/notification.xml": NOTIFICATION } },
  );
}
