import { DocumentError, type DocumentKind, type Head, kindOf, numeral } from "@rs-emit/documents";
import { UrlError } from "../errors.ts";

/** The document cannot be parsed, or is of the wrong kind. */
export function unreadableError(url: string, finding: string, cause?: unknown): UrlError {
  return new UrlError(url, { code: "UNREADABLE", finding, cause });
}

/** The list is not the one its index describes: a deploy is under way. */
export function midwayError(url: string): UrlError {
  return new UrlError(url, {
    code: "MIDWAY",
    problem: `${url} is not yet, or no longer, the document that its index describes: their hashes differ.`,
    cure: "The site may just be published; the next check tries again.",
  });
}

export function otherHostError(url: string, host: string): UrlError {
  return new UrlError(url, {
    code: "OTHER_HOST",
    problem: `${url} is not on the host of its source, ${host}.`,
    cure: "It is read only with the option to allow other hosts (--other-hosts).",
  });
}

/** Two collections name the same list, so its changes cannot be assigned. */
export function sharedListError(url: string, collection: string): UrlError {
  const problem = `${url} lists the changes of another collection already: ${collection}.`;
  return new UrlError(url, { code: "SHARED_LIST", problem });
}

export function unfinishedError(url: string): UrlError {
  return new UrlError(url, {
    code: "UNFINISHED",
    problem: `There was no time left to read ${url}.`,
    cure: "A later check begins with it.",
  });
}

/** @param what is expected at the address */
export function unreadable(url: string, error: unknown, what = "a ResourceSync document"): unknown {
  if (!(error instanceof DocumentError)) return error;
  if (error.code === "WEB_PAGE") {
    return unreadableError(url, `is a web page, not ${what}`, error);
  }
  if (error.maximum !== undefined) {
    const bound = `${numeral(error.maximum)} ${error.limit}`;
    return unreadableError(url, `is too large: it has more than ${bound}`, error);
  }
  return unreadableError(url, `cannot be read: ${error.message.replace(/\.$/, "")}`, error);
}

export function inWords(kind: DocumentKind): string {
  return `a ${kindName(kind)}`;
}

/** What a document is that was expected to be another one. */
export function headInWords({ root, metadata: { capability } }: Pick<Head, "root" | "metadata">) {
  const kind = kindOf(root, capability);
  if (kind !== undefined) return inWords(kind);
  const isIndex = root === "sitemapindex";
  if (capability === undefined) return isIndex ? "an index of plain sitemaps" : "a plain sitemap";
  const grouped = isIndex ? kindOf("urlset", capability) : undefined;
  if (grouped !== undefined) return `an index of ${kindName(grouped)}s`;
  return `a document of the unknown capability "${capability.slice(0, 60)}"`;
}

function kindName(kind: DocumentKind): string {
  return kind.replace(/(?:^|-)./g, (first) => first.replace("-", " ").toUpperCase());
}
