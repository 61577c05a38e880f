import { type Documents, EMIT, type ForeignAttribute, formatDatetime } from "@rs-emit/documents";
import { CAPABILITY_LIST, CHANGE_LIST_INDEX, GENERATOR } from "../model/layout.ts";

/** The head of a Change List (ResourceSync 1.1, section 12.1), open as long as it has no `until`. */
export function changeListHead(
  collection: string,
  from: number,
  publication: number,
): Omit<Documents["change-list"], "entries"> {
  return {
    root: "urlset",
    comments: [GENERATOR],
    metadata: {
      capability: "changelist",
      from: formatDatetime(from),
      foreign: publicationAttributes(publication),
    },
    links: [
      { rel: "up", href: collection + CAPABILITY_LIST },
      { rel: "index", href: collection + CHANGE_LIST_INDEX },
    ],
  };
}

/** Which publication wrote a document of the log, and which came before. */
export function publicationAttributes(publication: number, previous?: number): ForeignAttribute[] {
  const attributes = [{ namespace: EMIT, name: "publication", value: formatDatetime(publication) }];
  if (previous !== undefined) {
    attributes.push({ namespace: EMIT, name: "previous", value: formatDatetime(previous) });
  }
  return attributes;
}
