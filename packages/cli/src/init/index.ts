import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import { parse } from "../arguments.ts";
import { EXIT } from "../errors.ts";
import {
  agree,
  DECLINED,
  type GivenAddress,
  missingError,
  propose,
  siteAddress,
  writeConfig,
} from "../first-run/proposal.ts";
import { newCommand } from "../option-groups.ts";
import type { Streams } from "../terminal.ts";

interface InitOptions {
  readonly url?: string;
  readonly testAddress?: boolean;
  readonly indexNow?: boolean;
}

const EXAMPLES = `
Examples:
  rs-emit init
  rs-emit init dist
  rs-emit init dist --url https://example.neocities.org/
  rs-emit init dist --index-now

Exit codes: 0 written; 1 failed; 2 wrong usage.`;

/**
 * The command `rs-emit init`. Options are taken as given; guesses need the author's yes.
 * @throws {CommandError} if a value is missing and nobody can be asked, or a config exists
 */
export async function runInit(args: readonly string[], streams: Streams): Promise<number> {
  const command = initCommand(streams);
  if (!parse(command, args)) return EXIT.done;
  const { indexNow: isWanted, ...options } = command.opts<InitOptions>();
  const indexNow = isWanted === true ? randomUUID() : undefined;
  const given = { folder: command.args[0], ...options, indexNow };
  if (await writeAgreed(given, streams)) {
    streams.stdout.write("rs-emit.config.json was written. Publish with: npx rs-emit\n");
  }
  return EXIT.done;
}

/** Returns false where the author said no. */
async function writeAgreed(given: GivenAddress, streams: Streams): Promise<boolean> {
  const { folder, url } = given;
  if (folder !== undefined && url !== undefined) {
    writeConfig({ folder, url: siteAddress(url, given), indexNow: given.indexNow });
    return true;
  }
  const proposal = propose(given);
  const agreed = await agree(proposal, "config", given, streams, "rs-emit init");
  if (agreed === undefined) throw missingError(given, proposal, "rs-emit init");
  return agreed !== DECLINED;
}

export function initCommand(streams: Streams): Command {
  return newCommand("rs-emit init", streams, EXAMPLES)
    .usage("[dir] [options]")
    .description("Writes rs-emit.config.json: the folder of the built site, and its address.")
    .argument("[dir]", "the folder of the built site; looked for unless given")
    .option("--url <site>", "the site's address; looked for unless given")
    .option("--index-now", "make a key, by which search engines are told of changed pages")
    .option("--test-address", "take example.org, localhost and the like");
}
