import type { EmitOptions } from "./emit-options.generated.ts";
import { parseOptions } from "./settings.ts";

/** The options that commands need which only read a publication. */
export interface OptionReading {
  /** Ends with a slash. */
  readonly site: string;
  readonly collections: readonly string[];
  /** The name of the feed beside each log. */
  readonly feedFile: string | undefined;
  readonly hub: { readonly url: string; readonly payload: boolean } | undefined;
  readonly pings: readonly string[];
  readonly indexNow: string | undefined;
  readonly indexNowEndpoint: readonly string[] | undefined;
}

/**
 * Reads the options of a run for a command that publishes nothing. Its types need no library.
 * @throws {EmitError} as a run with these options does
 */
export function readOptions(options: EmitOptions): OptionReading {
  const { site, collections, feed, hub, pings, indexNow, indexNowEndpoint } = parseOptions(options);
  const urls = collections.map(({ url }) => url);
  return { site, collections: urls, feedFile: feed?.file, hub, pings, indexNow, indexNowEndpoint };
}
