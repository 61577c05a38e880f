import type { Description } from "../../model.ts";
import { descriptionOf } from "./draft.ts";
import { htmlToText } from "./html.ts";
import { children, languageOf, textOf, type XmlElement } from "./xml.ts";

export const ATOM = "http://www.w3.org/2005/Atom";

/** RFC 4287, section 4.1.1. */
export function describeAtom(feed: XmlElement): Description | undefined {
  const all = (parent: XmlElement, name: string) =>
    children(parent).filter((child) => child.namespace === ATOM && child.name === name);
  const names = all(feed, "author").flatMap((author) => all(author, "name"));
  return descriptionOf({
    titles: all(feed, "title").map(textConstruct),
    authors: names.map(textOf),
    summaries: all(feed, "subtitle").map(textConstruct),
    languages: [languageOf(feed)],
    rights: all(feed, "rights").map(textConstruct),
  });
}

/** Plain text, or the text of markup (RFC 4287, section 3.1). */
function textConstruct(element: XmlElement): string {
  const text = textOf(element);
  return element.attributes.get("{}type") === "html" ? htmlToText(text) : text;
}
