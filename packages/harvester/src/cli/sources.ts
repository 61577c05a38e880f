import { count, printable, printableJson, printableLines } from "@rs-emit/documents";
import { hasCode } from "@rs-emit/reader";
import { standingText } from "../health-names.ts";
import { opml } from "../opml.ts";
import { causeLine, someNames } from "../problem-causes.ts";
import { feedPath } from "../serve/feed-paths.ts";
import { followAll } from "../store/following/following.ts";
import { openStore, type Store } from "../store/open-store.ts";
import { feedlessSites, followedAddresses, followedFeeds } from "../store/pages/exported-sites.ts";
import { listReport, type StandingGroup } from "../store/pages/health.ts";
import { EXIT, usageError } from "./errors.ts";
import { siteListIn } from "./given-sites.ts";
import { type MemoryPlace, memoryIn, serviceFolder } from "./options.ts";
import type { OutputStreams } from "./terminal.ts";

interface ImportOptions extends MemoryPlace {
  readonly list: string;
  readonly json?: boolean | undefined;
  readonly pollSitemaps?: boolean | undefined;
}

interface ExportOptions extends MemoryPlace {
  /** The service's address, for a list of its feeds; without it, the sites are listed. */
  readonly opml?: string | undefined;
}

/** `rs-harvest import`. The service checks the sites later. */
export async function importSources(given: ImportOptions, streams: OutputStreams): Promise<number> {
  const list = siteListIn(given.list);
  return withService(given, "import", async ({ database }) => {
    const { pollSitemaps = false } = given;
    const now = Date.now() / 1000;
    const followed = await followAll(database, list.sites, now, pollSitemaps);
    const { added, known } = followed;
    const { groups } = await listReport(database, now, NAMED.list);
    const refused = [...list.refused, ...followed.refused];
    if (given.json) {
      const standings = Object.fromEntries(groups.map(({ standing, count }) => [standing, count]));
      streams.stdout.write(`${printableJson({ added, known, refused, standings })}\n`);
    } else {
      streams.stdout.write(`Followed now: ${added}. Followed already: ${known}.\n`);
      for (const group of groups) streams.stdout.write(`${printable(groupLine(group))}\n`);
      for (const { problem } of refused) streams.stderr.write(`${printable(problem)}\n`);
    }
    return refused.length === 0 ? EXIT.done : EXIT.failed;
  });
}

/** Sites that are named: of each standing in a list, and of those without a feed. */
const NAMED = { list: 50, feedless: 3 } as const;

/** `2 sites could not be read: a.example, b.example` */
function groupLine({ standing, count: all, sites }: StandingGroup): string {
  const names = sites.map(({ title }) => title);
  return `${count(all, "site")} ${standingText(standing, all)}: ${someNames(names, all)}`;
}

/** `rs-harvest export`: one address a line, or the feeds as OPML. */
export async function exportSources(given: ExportOptions, streams: OutputStreams): Promise<number> {
  const { opml: opmlUrl } = given;
  return withService(given, "export", async ({ database }) => {
    if (opmlUrl !== undefined) {
      const document = (...name: Parameters<typeof feedPath>) =>
        new URL(feedPath(...name), opmlUrl).href;
      const everything = { id: "", page: undefined };
      streams.stdout.write(opml(await followedFeeds(database, { document, everything })));
      const feedless = await feedlessSites(database, NAMED.feedless);
      if (feedless.sites > 0) {
        const cause = "no feed yet, and not in this list";
        streams.stderr.write(`${printable(causeLine({ cause, ...feedless }))}\n`);
      }
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
