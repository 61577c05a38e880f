import { DESCRIPTION } from "../documents.ts";
import { writeCase } from "../write.ts";
import { CAPABILITIES, capabilityless, drop, dropLink, judged, SITE, swap } from "./site.ts";

export function tops(): void {
  judged(
    "description-capability",
    "A Source Description does not say that it is one.",
    ["I9 error", "R36 error"],
    DESCRIPTION,
    capabilityless,
    { also: [CAPABILITIES] },
  );
  judged(
    "description-entry-capability",
    "An entry of the Source Description does not say capabilitylist.",
    ["I10 error", "R23 error"],
    DESCRIPTION,
    drop(' capability="capabilitylist"'),
  );
  judged(
    "description-entry-describes",
    "An entry of the Source Description does not name its collection.",
    ["I11 error"],
    DESCRIPTION,
    dropLink("describes"),
  );
  judged(
    "description-describedby",
    "A Source Description links no metadata of the site.",
    ["I13 warning", "R59 warning"],
    DESCRIPTION,
    dropLink("describedby"),
  );
  judged(
    "description-entry-describedby",
    "An entry of the Source Description links no metadata of its set.",
    ["I12 warning", "R60 warning"],
    DESCRIPTION,
    (text) => text.replace(/( {4}<rs:ln rel="describedby"[^>]*\/>\n)/, ""),
  );
  judged(
    "description-lastmod",
    "An entry of the Source Description has lastmod.",
    ["R61 warning"],
    DESCRIPTION,
    swap("</loc>", "</loc>\n    <lastmod>2026-10-01T00:00:00Z</lastmod>"),
  );
  judged(
    "description-entry-loc",
    "An entry of the Source Description has no loc.",
    ["R43 error"],
    DESCRIPTION,
    (text) => text.replace("</urlset>", '<url><rs:md capability="capabilitylist"/></url></urlset>'),
  );
}

/** The host serves no folder whose name begins with a dot. */
export function hidden(): void {
  const { [DESCRIPTION]: description = "", ...others } = SITE;
  writeCase(
    "judges",
    "well-known-not-served",
    "The documents are there, but not the one at the well-known URI.",
    "I8",
    [
      {
        site: others,
        finds: [`I8 ${DESCRIPTION} error`],
        may: [CAPABILITIES],
        never: ["error"],
      },
      { site: { [DESCRIPTION]: description }, finds: [], never: ["error", `I8 ${DESCRIPTION}`] },
    ],
  );
}
