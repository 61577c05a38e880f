/**
 * A process of its own that checks a site again and again: `node checker.ts <folder> <address> [once]`. It
 * says `ready` as soon as its database is open.
 */

import { openTestTransport } from "../../../reader/test/support/transport.ts";
import { checkNow } from "../../src/check/check.ts";
import { DEFAULT_SETTINGS } from "../../src/check/harvester.ts";
import { follow } from "../../src/store/following/following.ts";
import { openSqlite } from "../../src/store/open-store.ts";

const [, , folder = "", address = "", once] = process.argv;

const { database, close } = await openSqlite(folder);
process.stdout.write("ready\n");
const transport = openTestTransport();
const now = () => Date.now() / 1000;
const harvester = { database, transport, settings: DEFAULT_SETTINGS, now, random: () => 0 };
do {
  const { id } = await follow(database, address, now());
  const result = await checkNow(harvester, id);
  if (result.kind !== "checked") throw new Error("the check failed", { cause: result });
} while (once === undefined);
await transport.close();
await close();
