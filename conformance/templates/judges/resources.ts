import { at, document, page } from "../documents.ts";
import {
  CAPABILITIES,
  capabilityless,
  drop,
  dropLink,
  judged,
  LINK,
  LIST,
  OCTOBER,
  ownAttribute,
  RESOURCES,
  SITE,
  swap,
  TAKEN,
  UP,
} from "./site.ts";

export function resources(): void {
  judged(
    "resource-list-capability",
    "A Resource List does not say that it is one.",
    ["R70a error"],
    LIST,
    capabilityless,
    { also: [CAPABILITIES] },
  );
  judged(
    "resource-list-at",
    "A Resource List has no at.",
    ["R70b error"],
    LIST,
    ownAttribute("at"),
  );
  judged(
    "resource-list-up",
    "A Resource List does not link the Capability List.",
    ["R70c error"],
    LIST,
    dropLink("up"),
  );
  judged(
    "resource-list-loc",
    "An entry of a Resource List has no loc.",
    ["R70d error"],
    LIST,
    drop(/ *<loc>[^<]*b\.html<\/loc>\n/),
  );
  judged(
    "lists-disagree",
    "A page that the Change List calls deleted is in the Resource List.",
    ["R66 error"],
    LIST,
    swap("</urlset>", `  <url><loc>${at("/old.html")}</loc></url>\n</urlset>`),
    { site: { ...SITE, "/old.html": page("Old", LINK) }, where: `${LIST}|${OCTOBER}` },
  );
  judged(
    "resource-with-another-hash",
    "A page has not the hash that its list states.",
    ["R14 error"],
    "/b.html",
    (text) => text.replace("<p>B", "<p>C"),
    { where: `${LIST}|/b.html` },
  );
  const part = "/resourcelist-1.xml";
  const split = {
    ...SITE,
    [LIST]: document("sitemapindex", UP, { capability: "resourcelist", ...TAKEN }, [
      { loc: part, md: TAKEN },
    ]),
    [part]: document(
      "urlset",
      [...UP, ["index", LIST]],
      { capability: "resourcelist", ...TAKEN },
      RESOURCES,
    ),
  };
  judged(
    "resource-list-index-capability",
    "A Resource List Index does not say what it is of.",
    ["R74b error"],
    LIST,
    capabilityless,
    { site: split, also: [CAPABILITIES] },
  );
  judged(
    "resource-list-index-at",
    "A Resource List Index has no at.",
    ["R74c error"],
    LIST,
    ownAttribute("at"),
    { site: split, also: [CAPABILITIES] },
  );
  judged(
    "resource-list-index-up",
    "A Resource List Index does not link the Capability List.",
    ["R74d error"],
    LIST,
    dropLink("up"),
    { site: split, also: [CAPABILITIES] },
  );
  judged(
    "resource-list-index-loc",
    "An entry of a Resource List Index has no loc.",
    ["R74e error"],
    LIST,
    swap(
      "</sitemapindex>",
      '  <sitemap><rs:md at="2026-10-15T00:00:00Z"/></sitemap>\n</sitemapindex>',
    ),
    { site: split, also: [CAPABILITIES] },
  );
  judged(
    "resource-list-part-index",
    "A part does not link the Resource List Index.",
    ["R72 warning"],
    part,
    dropLink("index"),
    { site: split, also: [CAPABILITIES] },
  );
}
