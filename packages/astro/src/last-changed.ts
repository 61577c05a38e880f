import type { LastChanged } from "@rs-emit/adapter";

let read: (() => Promise<LastChanged>) | undefined;
let dates: Promise<LastChanged> | undefined;

/** Each build has its own log. */
export function readDatesOf(reading: () => Promise<LastChanged>): void {
  read = reading;
  dates = undefined;
}

/**
 * When the content of a page last changed, by the log as it was before this build: for `serialize` of
 * `@astrojs/sitemap`.
 * @param url the page's, in full
 * @returns a W3C datetime; `undefined` where it is not known, or no build runs
 */
export async function lastChanged(url: string): Promise<string | undefined> {
  dates ??= read?.();
  return (await dates)?.(url);
}
