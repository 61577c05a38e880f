import type { Explanation } from "../history/explanations.ts";
import type { Change } from "../model/log.ts";
import { pageFactsOf, type Representation, representationOf, wordsOf } from "../model/resources.ts";
import { authorWords } from "./author-words.ts";
import { changedIn } from "./content-times.ts";
import type { Difference } from "./difference.ts";

/**
 * The log entry of a difference.
 * @param explanation ignored where it is not newer than the last publication
 */
export function toChange(
  difference: Difference,
  datetime: number,
  explanation: Explanation | undefined,
  note?: string,
): Change {
  const { url, kind, minor, resource, before, quotes } = difference;
  const evidence = kind === "deleted" ? undefined : evidenceOf(explanation, difference);
  const lastmod = Math.min(evidence?.time ?? datetime, datetime);
  return {
    url,
    kind,
    datetime,
    lastmod,
    ...(resource === undefined ? leftOf(before) : representationOf(resource)),
    ...(minor ? { minor } : {}),
    ...changedIn(difference, lastmod),
    quotes,
    ...authorWords(difference, note, evidence?.message),
  };
}

/** Without a hash: a publication that is killed before its Resource List starts over. */
export function toPastChange(
  difference: Difference,
  moment: Pick<Change, "datetime" | "lastmod" | "message">,
): Change {
  const { url, kind, minor, resource, before = {}, quotes } = difference;
  return {
    url,
    kind,
    ...moment,
    ...(kind === "deleted" ? pageFactsOf(before) : wordsOf(resource ?? before)),
    ...(minor ? { minor } : {}),
    ...changedIn(difference, moment.lastmod),
    quotes,
  };
}

/** Relations that stay valid when a resource is gone. */
const ARCHIVES = ["memento", "timegate", "timemap"];

/** A deleted page's identities and note stay, in case it returns. */
function leftOf(before: Representation = {}): Representation {
  const archived = before.links?.filter(({ rel }) => ARCHIVES.includes(rel)) ?? [];
  const { noteDigest } = before;
  return {
    ...pageFactsOf(before),
    noteDigest,
    links: archived.length === 0 ? undefined : archived,
  };
}

/** A time that was already published does not explain a later change. */
function evidenceOf(
  explanation: Explanation | undefined,
  { before, publishedAt }: Difference,
): Explanation | undefined {
  if (explanation === undefined || before === undefined) return explanation;
  return explanation.time > (before.lastmod ?? publishedAt) ? explanation : undefined;
}
