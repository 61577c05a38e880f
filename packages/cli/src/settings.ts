import type { EmitOptions, OptionReading } from "@rs-emit/core";
import type { Arguments } from "./arguments.ts";
import { type ConfigFile, findConfig, readConfig } from "./config.ts";
import type { PublishSettings } from "./console.ts";
import { asCommandError } from "./errors.ts";
import type { Config } from "./index.ts";
import type { Streams } from "./terminal.ts";

/**
 * Merges command line and config file; the command line wins. On a terminal, a missing site is searched for,
 * and the author is asked. Throws CommandError.
 * @param streams absent where nobody can be asked
 * @param command the start of the example in an error
 * @param isUrlKnownLater whether a build may provide the address
 * @returns `undefined` where the author said no
 */
export function settle(
  given: Arguments,
  streams: undefined,
  command: string,
  isUrlKnownLater: boolean,
): Promise<PublishSettings>;
export function settle(given: Arguments, streams: Streams): Promise<PublishSettings | undefined>;
export async function settle(
  { options, config, mode }: Arguments,
  streams?: Streams,
  command = "rs-emit",
  isUrlKnownLater = false,
): Promise<PublishSettings | undefined> {
  const file = findConfig(config, options.folder);
  const read: ConfigFile | undefined = file === undefined ? undefined : await readConfig(file);
  const given = { ...read?.config, ...options };
  const isSilent = mode.json || mode.quiet;
  const { folder } = given;
  // With a folder in the config but no address, the library may report a misspelled option.
  const isEnough = folder !== undefined && (isUrlKnownLater || read?.config.folder !== undefined);
  const fileOf = (option: string) => (option in given && !(option in options) ? file : undefined);
  const site = isEnough
    ? { folder }
    : await siteOf(given, {
        streams: isSilent ? undefined : streams,
        mayAsk: file === undefined,
        command,
        fileOf,
      });
  return site && { options: { ...given, ...site }, fileOf };
}

const SOME_SITE = "https://moss.neocities.org/";

interface Asking extends Pick<PublishSettings, "fileOf"> {
  /** Absent where nothing may be said. */
  readonly streams: Streams | undefined;
  readonly mayAsk: boolean;
  readonly command: string;
}

async function siteOf(
  given: Config,
  { streams, mayAsk, command, fileOf }: Asking,
): Promise<{ readonly folder: string; readonly url?: string } | undefined> {
  const { folder, url } = given;
  if (folder !== undefined && url !== undefined) return { folder, url };
  const { agree, DECLINED, describeFound, missingError, propose } = await import(
    "./first-run/proposal.ts"
  );
  const proposal = propose(given);
  const { folder: found, url: published, isPublished } = proposal;
  if (found !== undefined && published !== undefined && isPublished) {
    streams?.stderr.write(describeFound(proposal));
    return { folder: found, url: published };
  }
  const question = given.dryRun === true ? "config" : "publish";
  const agreed = streams && mayAsk && (await agree(proposal, question, given, streams, command));
  if (!agreed) {
    // A misspelled option may be the reason for a missing value.
    await checkedOptions({ ...given, folder: folder ?? ".", url: url ?? SOME_SITE }, fileOf);
    throw missingError(given, proposal, command);
  }
  return agreed === DECLINED ? undefined : agreed;
}

/** @param fileOf the config file that sets an option; `undefined` for the command line */
export async function checkedOptions(
  options: EmitOptions,
  fileOf: (option: string) => string | undefined,
): Promise<OptionReading> {
  const { EmitError, readOptions } = await import("@rs-emit/core");
  try {
    return readOptions(options);
  } catch (error) {
    throw error instanceof EmitError ? asCommandError(error, fileOf) : error;
  }
}
