import { type Software, TODAYS } from "../model/software.ts";
import { isClosedList, rewriteDocuments, without } from "./rewrite.ts";

/**
 * What a version may lack without telling anything else to followers, quotes apart. Without `blocks` or `engines`, the
 * next run publishes them anew, without entries.
 */
const FORGOTTEN = ["changed", "id", "quotes", "sitemap"];

/** A later version, which adds an attribute wherever one may stand. */
export const LATER: Software = {
  ...TODAYS,
  name: "one that adds an attribute",
  finish: (output) =>
    rewriteDocuments(output, (text) =>
      isClosedList(text)
        ? text
        : text.replaceAll(/<rs:(?:md|ln) (?!.*emit:later=)/g, '$&emit:later="2;a b" '),
    ),
};

/** An earlier version, which did not have some attributes yet. */
export const EARLIER: Software = {
  ...TODAYS,
  name: "one that lacks attributes",
  finish: (output) =>
    rewriteDocuments(output, (text) => (isClosedList(text) ? text : without(text, FORGOTTEN))),
};
