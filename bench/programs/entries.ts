import {
  type ChangeEntry,
  DCTERMS,
  type Documents,
  EMIT,
  formatDatetime,
} from "@rs-emit/documents";

const BEGINNING = Date.UTC(2020, 0) / 1000;
const HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

export const PREFIXES = { dcterms: DCTERMS, emit: EMIT };

export const CHANGE_LIST: Omit<Documents["change-list"], "entries"> = {
  root: "urlset",
  comments: [" made for a measurement "],
  metadata: { capability: "changelist", from: formatDatetime(BEGINNING) },
  links: [{ rel: "up", href: "https://example.org/capabilitylist.xml" }],
};

/** What a log says of changes: `told` by history, or with what a continuation knows of the page. */
export type Form = "told" | "full";

export function isForm(text: string): text is Form {
  return ["told", "full"].includes(text);
}

/** So many changes, a minute apart. */
export function* changes(count: number, form: Form): Generator<ChangeEntry> {
  for (let at = 0; at < count; at++) {
    const datetime = formatDatetime(BEGINNING + at * 60);
    const change = at % 3 === 0 ? "created" : "updated";
    yield {
      loc: `https://example.org/part-${at % 500}/page-${at}.html`,
      lastmod: datetime,
      metadata:
        form === "told"
          ? { change, datetime }
          : {
              change,
              datetime,
              hash: `sha-256:${HASH}`,
              length: String(20_000 + (at % 977)),
              type: "text/html",
              foreign: [{ namespace: DCTERMS, name: "title", value: `A day at page ${at}` }],
            },
    };
  }
}
