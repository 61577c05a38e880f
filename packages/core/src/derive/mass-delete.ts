import { isMassDelete, urlKey } from "@rs-emit/documents";
import type { Collection } from "../model/collections.ts";
import type { EmitError } from "../model/errors.ts";
import type { CollectionPublication } from "../model/publication.ts";
import {
  type ExclusionReason,
  type Inventory,
  ON_DEMAND,
  type Resource,
  type SnapshotEntry,
} from "../model/resources.ts";
import { mention, type Sentence, sentence } from "../model/sentence.ts";
import type { Difference } from "./difference.ts";
import { massDeleteError, withdrawnLogError } from "./errors.ts";
import type { Moves } from "./moves.ts";

const LIST_THEM = sentence`List them with the option ${mention("customPages")}, or render them once.`;

/**
 * The log of a collection that is not configured ends, even if its pages continue in another one.
 * @throws {EmitError} `LOG_WITHDRAWN`
 */
export function refuseWithdrawal(
  site: string,
  configured: readonly Pick<Collection, "url">[],
  published: readonly CollectionPublication[],
): void {
  const names = new Set(configured.map(({ url }) => url));
  for (const { url, snapshot } of published) {
    if (snapshot.size === 0 || names.has(url)) continue;
    const path = url.startsWith(site) ? url.slice(site.length) || "/" : url;
    throw withdrawnLogError(url, snapshot.size, path);
  }
}

/**
 * @returns `MASS_DELETE` for each collection of which more than half of the published pages, and more than five, are
 * gone or withdrawn; or all are, because of options or a missing folder
 */
export function* massDeletes(
  differences: readonly Difference[],
  published: readonly CollectionPublication[],
  inventory: Inventory,
  moves: Moves = new Map(),
): Generator<EmitError> {
  const isStillThere = stillThere(inventory, moves);
  const reasons = new Map(inventory.excluded.map(({ url, reason }) => [urlKey(url), reason]));
  const areFor = (gone: readonly string[], ...why: readonly ExclusionReason[]) => {
    return gone.every((url) => why.some((one) => one === reasons.get(urlKey(url))));
  };
  for (const { url: collection, folder, snapshot } of published) {
    const gone = differences.filter(
      (one) => one.collection === collection && one.kind === "deleted" && !isStillThere(one),
    );
    const urls = gone.map(({ url }) => url);
    const isAll = gone.length > 0 && gone.length === snapshot.size;
    const stop = (why: string, check: string | Sentence) =>
      massDeleteError(collection, urls, snapshot.size, why, check);
    if (isAll && inventory.missing.includes(folder)) {
      yield stop(`its folder ${folder} is not there`, "Check the path, and build the whole site.");
    } else if (isAll && areFor(urls, "option", "no-collection")) {
      yield stop(
        "the options leave all of them out",
        sentence`Check the options ${mention("exclude")} and ${mention("collections")}.`,
      );
    } else if (isMassDelete(gone.length, snapshot.size)) {
      yield areFor(urls, "on-demand")
        ? stop("a server makes them now, and no list names them", LIST_THEM)
        : stop("that looks like a build that went wrong", "Check the output folder.");
    }
  }
}

function stillThere({ resources }: Inventory, moves: Moves): (difference: Difference) => boolean {
  const keys = new Set(resources.map(({ url }) => urlKey(url)));
  const identities = new Set(resources.flatMap(identitiesOf));
  return ({ url, before }) =>
    keys.has(urlKey(url)) ||
    moves.has(urlKey(url)) ||
    (before !== undefined && identitiesOf(before).some((one) => identities.has(one)));
}

function identitiesOf({ hash, content }: Partial<SnapshotEntry & Resource>): string[] {
  return [hash, content].filter((one) => one !== undefined && one !== ON_DEMAND).map(String);
}
