import type { Arguments } from "./arguments.ts";
import { type ConfigFile, findConfig, readConfig } from "./config.ts";
import type { Config } from "./index.ts";
import type { Settings } from "./publish.ts";
import type { Streams } from "./terminal.ts";

/**
 * Puts together what the command line and the config file say; the command line wins. On a terminal,
 * a site that neither names is looked for, and its author asked.
 *
 * @param streams absent where nobody is to be asked
 * @param command what an example of the right use begins with
 * @param isUrlKnownLater whether something else may give the address, such as a plugin in a build
 * @throws {CommandError} when the folder is not known, or the config cannot be read
 */
export async function settle(
  { options, config, mode }: Arguments,
  streams?: Streams,
  command = "rs-emit",
  isUrlKnownLater = false,
): Promise<Settings> {
  const file = findConfig(config, options.folder);
  const read: ConfigFile | undefined = file === undefined ? undefined : await readConfig(file);
  const given = { ...read?.config, ...options };
  const isSilent = mode.json || mode.quiet;
  const { folder } = given;
  // Where the config has the folder and no address, the library may find that a name is misspelled.
  const isEnough = folder !== undefined && (isUrlKnownLater || read?.config.folder !== undefined);
  const site = isEnough
    ? { folder }
    : await siteOf(given, file === undefined && !isSilent ? streams : undefined, command);
  return {
    options: { ...given, ...site },
    fileOf: (option) => (option in given && !(option in options) ? file : undefined),
  };
}

const QUESTION = "Publish a change log in this folder, for this address?";

/** The folder and the address: as given, or as the author agrees to. */
async function siteOf(
  given: Config,
  streams: Streams | undefined,
  command: string,
): Promise<{ readonly folder: string; readonly url?: string }> {
  const { folder, url } = given;
  if (folder !== undefined && url !== undefined) return { folder, url };
  const { agree, missingError, propose } = await import("./first-run/proposal.ts");
  const proposal = propose(given);
  const agreed = streams && (await agree(proposal, QUESTION, given, streams));
  if (agreed === undefined) throw missingError(given, proposal, command);
  return agreed;
}
