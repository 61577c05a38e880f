import type { Arguments } from "./arguments.ts";
import { type ConfigFile, findConfig, readConfig } from "./config.ts";
import { CommandError } from "./errors.ts";
import type { Settings } from "./publish.ts";

/**
 * Puts together what the command line and the config file say; the command line wins.
 *
 * @param command what an example of the right use begins with
 * @throws {CommandError} when neither names the folder, or the config cannot be read
 */
export async function settle(
  { options, config }: Arguments,
  command = "rs-emit",
): Promise<Settings> {
  const file = findConfig(config, options.folder);
  const read: ConfigFile | undefined = file === undefined ? undefined : await readConfig(file);
  const { folder, ...others } = { ...read?.config, ...options };
  if (folder === undefined) {
    throw new CommandError(
      "NO_FOLDER_GIVEN",
      "The folder of the built site is missing. Name it, for example: " +
        `${command} ./dist --url https://example.neocities.org/`,
    );
  }
  return {
    options: { folder, ...others },
    fileOf: (option) => (option in options ? undefined : file),
  };
}
