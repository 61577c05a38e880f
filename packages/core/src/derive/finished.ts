import { urlKey } from "@rs-emit/documents";
import type { FinishedPage } from "../pages/finish.ts";

interface Digested {
  readonly url: string;
  readonly hash?: string | undefined;
  readonly length?: number | undefined;
}

/** Gives what is known of pages the digests that they have when they are published. */
export function withFinishedDigests(
  pages: readonly FinishedPage[],
): <Known extends Digested>(known: Known) => Known {
  const finished = new Map(pages.map((page) => [urlKey(page.url), page]));
  return (known) => {
    const page = known.hash === undefined ? undefined : finished.get(urlKey(known.url));
    return page === undefined ? known : { ...known, hash: page.hash, length: page.length };
  };
}
