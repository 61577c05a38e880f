import { EMIT, foreignValue, NO_LOG, SOURCE_DESCRIPTION, urlKey } from "@rs-emit/documents";
import { dotFolderCure, REFUSED_CURE } from "./cures.ts";
import type { CheckFindings } from "./findings.ts";
import { bytesOf, type PublicationReader, type ServedPublication } from "./served-documents.ts";
import { NoAnswerError, type Site } from "./site.ts";

export interface Beginning {
  readonly site: Site;
  /** The URL of the Source Description, or of a Capability List that has none. */
  readonly description: string;
  /** Capability Lists to start from where the Source Description is missing. */
  readonly otherwise?: readonly string[];
}

/**
 * Reads a publication from its top.
 * @returns the URL of its Source Description: the given one, or the one that its documents name
 */
export async function readPublication(
  reader: PublicationReader,
  { site, description, otherwise = [] }: Beginning,
  findings: CheckFindings,
): Promise<string> {
  const top = await reader.begin(description);
  if (top === "read" && reader.leadsDown(description)) return reader.preferNamed(description);
  if (top === "silent") return description;
  reader.knowMissing(description);
  let isFound = false;
  for (const url of otherwise) isFound = isThere(await reader.begin(url)) || isFound;
  if (isThere(top)) return description;
  const named = reader.namedDescription ?? description;
  if (reader.documents.has(named)) return named;
  const isRefused = top === "refused" && !(await refusesAnything(site, baseOf(named)));
  if (isFound) reportDotFolder(site, reader, named, isRefused, findings);
  else if (isRefused) {
    findings.add("status", { document: named }, `${named} answers 403.`, REFUSED_CURE);
  } else if (!isThere(await reader.begin(new URL(NO_LOG, baseOf(named)).href))) {
    const what = `There is no ${named}, and nothing leads to another change log.`;
    const cure = site.isLive
      ? "Publish the site with rs-emit, and upload all of the folder. If it is published, check the address."
      : "Publish first: rs-emit with this folder and the option --url.";
    findings.add("nothing-published", { document: named }, what, cure);
  }
  return named;
}

function isThere(outcome: string): boolean {
  return outcome !== "absent" && outcome !== "refused";
}

function reportDotFolder(
  site: Site,
  reader: PublicationReader,
  description: string,
  isRefused: boolean,
  findings: CheckFindings,
): void {
  const server = [...reader.documents.values()][0]?.answer.header("server");
  const served = isRefused ? "answers 403 for" : "does not serve";
  const what = site.isLive
    ? `The documents are there, but the host ${served} ${SOURCE_DESCRIPTION}.`
    : "The folder .well-known is missing, though the other documents are there.";
  const cure = isRefused ? REFUSED_CURE : dotFolderCure(site.isLive, description, server);
  findings.add("dot-folder", { document: description }, what, cure);
}

/** Storage services answer 403 for every missing file. */
async function refusesAnything(site: Site, base: string): Promise<boolean> {
  try {
    const answer = await site.get(`${base}rs-check-nothing.html`, true);
    await bytesOf(answer);
    return answer.status === 403;
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    return false;
  }
}

/**
 * The finding for documents that were published for another address; `undefined` if the address is right, or
 * rs-emit did not write them.
 */
export function otherBaseOf(
  publication: ServedPublication,
  description: string,
  isLive: boolean,
): readonly [what: string, cure: string] | undefined {
  const top = publication.get(description);
  const base = baseOf(description);
  const own = (top?.document.entries ?? []).filter(
    ({ metadata }) => foreignValue(metadata, EMIT, "since") !== undefined,
  );
  const read = new Set([...publication.keys()].map(urlKey));
  const [first] = own;
  if (first === undefined) return undefined;
  if (own.some(({ loc }) => loc.startsWith(base) || read.has(urlKey(loc)))) return undefined;
  const what = `The documents are of another address: they name ${first.loc}, not ${base}.`;
  const cure = isLive
    ? `If the site is here, publish with --url ${base}, and once --moved-from with the old address. If it is ` +
      "there, upload its folder there, and check that address."
    : `Check with the address under which they were published. If the site moves here, publish with --url ${base}, ` +
      "and once --moved-from with the old one.";
  return [what, cure];
}

export function baseOf(description: string): string {
  return new URL(".", description.replace(/\.well-known\/.*$/, "")).href;
}
