import { EmitError } from "../model/errors.ts";
import { SOURCE_DESCRIPTION } from "../model/layout.ts";

const CURE =
  "Try again later, or read the last publication from elsewhere with the option previous " +
  "(--previous). If nothing was ever published on this site, say so with the option first (--first). " +
  "Nothing was written.";

const DOT_FOLDERS =
  "Many servers refuse every folder that begins with a dot: let yours serve .well-known, or answer " +
  "404 there. ";

/** The live site did not answer in a way that tells whether something is published there. */
export class SiteUnreachableError extends EmitError {
  readonly code = "SITE_UNREACHABLE";
  readonly url: string;
  constructor(url: string, why: string, cure = CURE) {
    super(`The last publication could not be read from the live site: ${url} ${why}. ${cure}`);
    this.url = url;
  }
}

/** The live site answers a document's address with a status that is neither 200 nor 404 or 410. */
export class SiteStatusError extends EmitError {
  readonly code = "SITE_STATUS";
  readonly url: string;
  readonly status: number;
  constructor(url: string, status: number) {
    const isRefused = (status === 401 || status === 403) && url.endsWith(SOURCE_DESCRIPTION);
    super(
      `The last publication could not be read from the live site: ${url} answers ${status}. ` +
        `${isRefused ? DOT_FOLDERS : ""}${CURE}`,
    );
    this.url = url;
    this.status = status;
  }
}

/** The live site answers any address with a web page, so that nothing tells what is published. */
export class SiteCatchAllError extends EmitError {
  readonly code = "SITE_CATCH_ALL";
  constructor(url: string) {
    super(
      `The live site answers ${url} with a web page, as it does for addresses that do not exist, so ` +
        "it cannot tell whether something was published. If nothing was, say so with the option first " +
        "(--first). Nothing was written.",
    );
  }
}
