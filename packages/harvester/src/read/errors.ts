import type { DocumentKind } from "@rs-emit/documents";
import { DocumentError, LimitError, NotSitemapError } from "@rs-emit/documents";
import { HarvestError } from "../errors.ts";

/** The document cannot be parsed, or is of the wrong kind. */
export class UnreadableError extends HarvestError {
  readonly code = "UNREADABLE";
  readonly url: string;
  constructor(url: string, problem: string, cause?: unknown) {
    super(`${url} ${problem}.`, cause === undefined ? {} : { cause });
    this.url = url;
  }
}

/** The list is not the one its index describes: a deploy is under way. */
export class MidwayError extends HarvestError {
  readonly code = "MIDWAY";
  readonly url: string;
  constructor(url: string) {
    super(
      `${url} is not yet, or no longer, the document that its index describes: their hashes differ. ` +
        "The site may just be published; the next check tries again.",
    );
    this.url = url;
  }
}

export class OtherHostError extends HarvestError {
  readonly code = "OTHER_HOST";
  readonly url: string;
  constructor(url: string, host: string) {
    super(
      `${url} is not on the host of its source, ${host}. ` +
        "It is read only with the option to allow other hosts (--other-hosts).",
    );
    this.url = url;
  }
}

/** Two collections name the same list, so its changes cannot be assigned. */
export class SharedListError extends HarvestError {
  readonly code = "SHARED_LIST";
  readonly url: string;
  constructor(url: string, collection: string) {
    super(`${url} lists the changes of another collection already: ${collection}.`);
    this.url = url;
  }
}

export class UnfinishedError extends HarvestError {
  readonly code = "UNFINISHED";
  readonly url: string;
  constructor(url: string) {
    super(`There was no time left to read ${url}. A later check begins with it.`);
    this.url = url;
  }
}

/** @param what is expected at the address */
export function unreadable(url: string, error: unknown, what = "a ResourceSync document"): unknown {
  if (!(error instanceof DocumentError)) return error;
  if (error instanceof NotSitemapError && error.html) {
    return new UnreadableError(url, `is a web page, not ${what}`, error);
  }
  if (error instanceof LimitError) {
    const maximum = error.maximum.toLocaleString("en");
    return new UnreadableError(
      url,
      `is too large: it has more than ${maximum} ${error.limit}`,
      error,
    );
  }
  return new UnreadableError(url, `cannot be read: ${error.message.replace(/\.$/, "")}`, error);
}

export function inWords(kind: DocumentKind | undefined): string {
  if (kind === undefined) return "a plain sitemap";
  const name = kind.replace(/(?:^|-)./g, (first) => first.replace("-", " ").toUpperCase());
  return `a ${name}`;
}
