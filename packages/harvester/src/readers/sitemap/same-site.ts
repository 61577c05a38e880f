import { foldersAbove, isOfHost, isSameHost, relativeTo, siteFolder, urlOf } from "@rs-emit/reader";
import type { Database } from "../../store/schema.ts";
import type { SourceRow } from "../../store/source.ts";
import { pollingOf } from "./polling-row.ts";

/** A site may be followed at several addresses of its host. */

/** The oldest other source on a source's host that compares a list, where the source itself does not yet. */
export async function sourceComparing(
  database: Database,
  list: string,
  { id, address: own }: Pick<SourceRow, "id" | "address">,
): Promise<number | undefined> {
  const found = await database
    .selectFrom("collection")
    .innerJoin("source", "source.id", "collection.source_id")
    .select(["source.id", "source.address"])
    .where("collection.capability_list_url", "=", list)
    .where("collection.is_compared", "=", 1)
    .where("source.id", "<>", id)
    .where("source.state", "in", ["followed", "paused"])
    .orderBy("source.id")
    .execute();
  return found.find(({ address }) => isOfHost(address, urlOf(own ?? "")))?.id;
}

/**
 * The oldest other source that compares the lists of a whole site, and has not found its Source Description yet. None where the
 * source itself has compared them.
 *
 * @param descriptionUrl of the site
 */
export async function sourcePolling(
  database: Database,
  { id }: SourceRow,
  descriptionUrl: string,
): Promise<number | undefined> {
  if ((await pollingOf(database, id)) !== undefined) return undefined;
  const found = await database
    .selectFrom("source")
    .innerJoin("polling", "polling.source_id", "source.id")
    .select(["source.id", "source.address", "polling.roots"])
    .where("source.host", "=", new URL(descriptionUrl).hostname)
    .where("source.polls_sitemap", "=", 1)
    .where("source.description_url", "is", null)
    .where("source.state", "=", "followed")
    .where("source.id", "!=", id)
    .orderBy("source.id")
    .execute();
  const site = siteFolder(descriptionUrl);
  return found.find(({ address, roots }) =>
    coversSite(site, urlOf(address ?? ""), JSON.parse(roots)),
  )?.id;
}

/** Whether lists are those of a site, and not of a folder in it that the address is in, or of a site at another port. */
function coversSite(site: string, address: string, roots: readonly string[]): boolean {
  if (new URL(address).port !== new URL(site).port) return false;
  const parts = foldersAbove(address).filter((folder) => relativeTo(site, folder) !== "");
  const own = roots.filter((root) => isSameHost(root, site));
  return (
    [address, ...own].every((url) => relativeTo(site, url) !== undefined) &&
    !own.some((root) => parts.some((part) => root.startsWith(part)))
  );
}
