import { readFileSync } from "node:fs";
import { decodeText, printable, printableJson, printableLines } from "@rs-emit/documents";
import { hasCode, normalizeAddress, reasonOf } from "@rs-emit/reader";
import { feedPath } from "../serve/feed-paths.ts";
import { opml, readSiteList, type SiteList } from "../site-list.ts";
import { followAll } from "../store/following.ts";
import { followedAddresses, followedFeeds } from "../store/queries/followed-sites.ts";
import { openStore, type Store } from "../store/store.ts";
import { watchedText } from "../watched.ts";
import { EXIT, understood, usageError } from "./errors.ts";
import { type MemoryPlace, memoryIn, serviceFolder } from "./options.ts";
import type { Streams } from "./terminal.ts";

interface ImportOptions extends MemoryPlace {
  readonly list: string;
  readonly json?: boolean | undefined;
  readonly fromLists?: boolean | undefined;
}

interface ExportOptions extends MemoryPlace {
  /** The service's address, for a list of its feeds; without it, the sites are listed. */
  readonly opml?: string | undefined;
}

/** `rs-harvest import`. The service checks the sites later. */
export async function importSources(given: ImportOptions, streams: Streams): Promise<number> {
  const list = siteListIn(given.list);
  return withService(given, "import", async ({ database }) => {
    const { fromLists = false } = given;
    const followed = await followAll(database, list.addresses, Date.now() / 1000, fromLists);
    const { added, known, watched } = followed;
    const refused = [...list.refused, ...followed.refused];
    if (given.json) {
      const kinds = fromLists ? { watched: Object.fromEntries(watched) } : {};
      streams.stdout.write(`${printableJson({ added, known, refused, ...kinds })}\n`);
    } else {
      streams.stdout.write(`Followed now: ${added}. Followed already: ${known}.\n`);
      if (watched.size > 0) streams.stdout.write(`${watchedText(watched)}\n`);
      for (const { problem } of refused) streams.stderr.write(`${printable(problem)}\n`);
    }
    return refused.length === 0 ? EXIT.done : EXIT.failed;
  });
}

/** `rs-harvest export`: one address a line, or the feeds as OPML. */
export async function exportSources(given: ExportOptions, streams: Streams): Promise<number> {
  const { opml: opmlUrl } = given;
  return withService(given, "export", async ({ database }) => {
    if (opmlUrl !== undefined) {
      const document = (...name: Parameters<typeof feedPath>) =>
        new URL(feedPath(...name), opmlUrl).href;
      const everything = { id: "", page: undefined };
      streams.stdout.write(opml(await followedFeeds(database, { document, everything })));
    } else {
      for await (const lines of followedAddresses(database))
        streams.stdout.write(printableLines(lines));
    }
    return EXIT.done;
  });
}

/** The service must not run meanwhile. */
async function withService(
  given: MemoryPlace,
  page: "import" | "export",
  work: (store: Store) => Promise<number>,
): Promise<number> {
  const place = memoryIn(given, serviceFolder());
  const store = await openStore(place).catch((error: unknown) => {
    if (!hasCode(error, "DATABASE_IN_USE") || "url" in place) throw error;
    const where = page === "import" ? "its page /import" : "its page /sources.txt";
    throw usageError(
      `The service is at work in ${place.folder}.`,
      `Use ${where}, or stop the service first.`,
      error,
    );
  });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** All addresses in an OPML file, or in a text with one a line. Throws {@link HarvestError}, also for a wrong line. */
export function addressesIn(path: string, name: string): string[] {
  const { addresses, refused } = siteListIn(path, name);
  for (const { problem } of refused) throw usageError(`${name}: ${problem}`);
  return understood(() => addresses.map(normalizeAddress), `${name}: `);
}

/** Throws {@link HarvestError} where it is no list. */
function siteListIn(path: string, name = path): SiteList {
  let text: string;
  try {
    text = decodeText(readFileSync(path));
  } catch (error) {
    throw usageError(`${name} cannot be read (${reasonOf(error)}).`, "", error);
  }
  return understood(() => readSiteList(text), `${name}: `);
}
