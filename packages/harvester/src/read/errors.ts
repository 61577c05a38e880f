import type { DocumentKind } from "@rs-emit/documents";
import { DocumentError, LimitError, NotSitemapError } from "@rs-emit/documents";
import { HarvestError } from "../errors.ts";

/** A document that is there and cannot be understood, or is not the one that must stand there. */
export class UnreadableError extends HarvestError {
  readonly code = "UNREADABLE";
  readonly url: string;
  /** @param problem such as "is a web page, not a ResourceSync document" */
  constructor(url: string, problem: string, cause?: unknown) {
    super(`${url} ${problem}.`, cause === undefined ? {} : { cause });
    this.url = url;
  }
}

/** A list that is not the one its index speaks of: the source is just being published. */
export class MidwayError extends HarvestError {
  readonly code = "MIDWAY";
  readonly url: string;
  constructor(url: string) {
    super(
      `${url} is not yet, or no longer, the document that its index speaks of: their hashes differ. ` +
        "The site may just be published; the next check tries again.",
    );
    this.url = url;
  }
}

/** A document of a source that stands on another host than the source itself. */
export class OtherHostError extends HarvestError {
  readonly code = "OTHER_HOST";
  readonly url: string;
  /** @param host the source's own */
  constructor(url: string, host: string) {
    super(
      `${url} is not on the host of its source, ${host}. ` +
        "It is read only with the option to allow other hosts (--other-hosts).",
    );
    this.url = url;
  }
}

/** A list that two collections name: nobody could tell whose changes it tells. */
export class SharedListError extends HarvestError {
  readonly code = "SHARED_LIST";
  readonly url: string;
  /** @param collection the one that has it */
  constructor(url: string, collection: string) {
    super(`${url} lists the changes of another collection already: ${collection}.`);
    this.url = url;
  }
}

/** A collection that a check had no time left for. */
export class UnfinishedError extends HarvestError {
  readonly code = "UNFINISHED";
  readonly url: string;
  constructor(url: string) {
    super(`There was no time left to read ${url}. A later check begins with it.`);
    this.url = url;
  }
}

/** What a document's text does wrong, as an error that names the document. */
export function unreadable(url: string, error: unknown): unknown {
  if (!(error instanceof DocumentError)) return error;
  if (error instanceof NotSitemapError && error.html) {
    return new UnreadableError(url, "is a web page, not a ResourceSync document", error);
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

/** A document's kind in words, such as "a Change List". */
export function inWords(kind: DocumentKind | undefined): string {
  if (kind === undefined) return "a plain sitemap";
  const name = kind.replace(/(?:^|-)./g, (first) => first.replace("-", " ").toUpperCase());
  return `a ${name}`;
}
