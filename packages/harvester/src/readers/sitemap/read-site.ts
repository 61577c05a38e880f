import {
  inHttps,
  isAbsent,
  isAnswered,
  isBare,
  isHttp,
  keepScheme,
  keptScheme,
  siteHost,
  urlOf,
} from "@rs-emit/reader";
import type { Harvester } from "../../check/harvester.ts";
import type { Asked } from "../../check/reader.ts";
import type { CollectionRow } from "../../store/check/collection.ts";
import type { ListsReading } from "./compare-lists.ts";
import { type FoundLists, findLists } from "./find-lists.ts";
import { polledPages } from "./known-pages.ts";
import { LIST_LIMITS } from "./list-contents.ts";
import { ListedPages, type StrangePages } from "./listed-pages.ts";
import { ListsObservation } from "./observation.ts";
import { type Compared, comparedOf, listsOf } from "./polling-row.ts";
import { type ListState, ListsReader } from "./read-lists.ts";

/** Reads a site's lists of pages, and compares them with what is known: see {@link OtherReader.read}. */
export async function readSite(harvester: Harvester, asked: Asked): Promise<ListsObservation> {
  const { database, now } = harvester;
  const { source, transport, effort } = asked;
  const pages = new ListedPages();
  try {
    const known = await comparedOf(database, source.id);
    const reading = await readInto(pages, harvester, asked, known);
    const observation = await effort.of(() =>
      ListsObservation.of(database, source, reading, known, now()),
    );
    const scheme = keptScheme(source.address ?? "", reading.roots[0]);
    // What names its lists itself is called as its own documents say.
    const asksHome = asked.isSearched && asked.named.length === 0 && source.description === null;
    await observation.readTitles(keepScheme(transport, scheme), asksHome);
    return observation;
  } catch (error) {
    pages[Symbol.dispose]();
    throw error;
  }
}

async function readInto(
  pages: ListedPages,
  harvester: Harvester,
  asked: Asked,
  known: Compared,
): Promise<ListsReading> {
  const { transport } = asked;
  const address = asked.source.address ?? "";
  const [named] = asked.named;
  const search = async () =>
    named === undefined
      ? findLists(transport, address)
      : { roots: asked.named, site: siteHost(named) };
  const read = (lists: FoundLists) => readFrom(pages, harvester, asked, known, lists);
  const first = await read((await knownRoots(asked, known)) ?? (await search()));
  const found = first.isNowhere ? await search() : first;
  const isElsewhere = found.roots.join(" ") !== first.roots.join(" ");
  const { isNowhere: _, isEmpty, ...result } = isElsewhere ? await read(found) : first;
  const { problem } = result;
  const isRead = result.lists.some(({ state }) => state !== "failed");
  if (problem !== undefined && (isEmpty || !isRead)) throw problem;
  return result;
}

/** The lists that were found before. Of a bare name, https is tried for them each day while nothing answered there. */
async function knownRoots(
  { transport, source, isSearched }: Asked,
  { polling }: Compared,
): Promise<FoundLists | undefined> {
  if (polling === undefined) return undefined;
  const roots: readonly string[] = JSON.parse(polling.roots);
  const [root = ""] = roots;
  const known = { roots, site: polling.site };
  if (!isHttp(root) || !isBare(source.address ?? "") || !isSearched) return known;
  return (await isAnswered(transport, inHttps(root))) ? undefined : known;
}

/** Reads lists. If pages are missing, unchanged lists are read too: the pages may have moved there. */
async function readFrom(
  pages: ListedPages,
  { database, settings, now }: Harvester,
  { source, transport, isQuick, isUnconditional }: Asked,
  { polling, collection }: Compared,
  { roots, site }: FoundLists,
): Promise<ListsReading & { readonly isNowhere: boolean; readonly isEmpty: boolean }> {
  const knownLists = await listsOf(database, source.id);
  const address = source.address ?? "";
  const reader = new ListsReader(keepScheme(transport, keptScheme(address, roots[0])), pages, {
    roots,
    known: knownLists,
    isFirst: polling === undefined,
    hosts: new Set([siteHost(urlOf(address)), site]),
    allowOtherHosts: settings.allowOtherHosts,
    isQuick,
    isUnconditional,
    limits: { ...LIST_LIMITS, pages: settings.maxPages ?? LIST_LIMITS.pages },
    now: now(),
  });
  await reader.readChanged();
  const hasRead = !reader.isEmpty && reader.lists.some(({ state }) => state === "read");
  for await (const some of polledPages(database, source.id, hasRead)) pages.know(some);
  const missing = hasRead ? pages.join(reader.unread) : 0;
  if (missing > 0 && reader.unread.length > 0 && reader.isWhole) {
    await reader.readUnchanged();
    pages.join(reader.unread);
  }
  pages.findSpelledAnew();
  if (!reader.isWhole) pages.keepMissing();
  const { problem, isWhole, isEmpty } = reader;
  const strange = hasRead ? pages.leaveOutStrange(strangeBefore(reader, collection)) : undefined;
  const lists = reader.lists.map((list) =>
    list.state === "read" ? { ...list, strange: strange?.byList.get(list.id) ?? [] } : list,
  );
  return {
    pages,
    roots,
    site,
    lists,
    knownLists,
    strange: strange?.pages,
    isWhole,
    isSettled: isWhole || missing === 0,
    problem,
    isEmpty,
    isNowhere: isAbsent(problem) && roots.includes(problem.url) && !hasRead,
  };
}

/**
 * What was left out of lists of which most was new, by the lists that were read and are not read for the first time. What is
 * new since the author's last word is never left out: later checks do not know that word any more.
 */
function strangeBefore(
  { lists }: ListsReader,
  collection: CollectionRow | undefined,
): StrangePages["byList"] {
  const isJudged = ({ state, isBaseline }: ListState) => state === "read" && !isBaseline;
  const judged = collection?.is_listed === 1 ? lists.filter(isJudged) : [];
  return new Map(judged.map(({ id, strange }) => [id, strange]));
}
