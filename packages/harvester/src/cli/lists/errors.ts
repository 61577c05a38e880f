import { HarvestError } from "../../errors.ts";

/** A text that is markup, but no OPML. */
export class NotOpmlError extends HarvestError {
  readonly code = "NOT_OPML";
  /** @param problem such as "line 3, column 7: a DOCTYPE is not accepted" */
  constructor(problem: string) {
    super(
      `This is no OPML file (${problem}). Give an OPML file as feed readers export it, or a text file ` +
        "with one address a line.",
    );
  }
}

/** A line of a list of sites that is no address. */
export class NotAddressError extends HarvestError {
  readonly code = "NOT_ADDRESS";
  /** Counted from 1. */
  readonly line: number;
  constructor(line: number, text: string) {
    super(`Line ${line} is no address: "${text}". Write one address a line, and comments after #.`);
    this.line = line;
  }
}

/** A list of sites past a bound. */
export class SiteListLimitError extends HarvestError {
  readonly code = "SITE_LIST_LIMIT";
  /** The limit's name in `SITE_LIST_LIMITS`. */
  readonly limit: string;
  constructor(limit: string, maximum: number) {
    super(`The list passes the limit "${limit}" of ${maximum}. Split it into several lists.`);
    this.limit = limit;
  }
}
