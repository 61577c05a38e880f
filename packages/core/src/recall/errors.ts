import { count, list } from "@rs-emit/documents";
import { EmitError } from "../model/errors.ts";
import { CAPABILITY_LIST, RESOURCE_LIST, SOURCE_DESCRIPTION } from "../model/layout.ts";
import { FORMAT } from "../model/log-attributes.ts";
import { mention, sentence, type Text } from "../model/sentence.ts";

/** A published document cannot be trusted. History is never restarted silently. */
export function damagedDocumentError(document: string, place: string, why: string): EmitError {
  return new EmitError({
    code: "DAMAGED_DOCUMENT",
    problem: `The published document ${document} (in ${place}) cannot be continued: ${why}`,
    ...restoring(place),
    about: document,
  });
}

/** A later version of rs-emit published in a format that this version does not know. */
export function newerFormatError(document: string, place: string, format: number): EmitError {
  return new EmitError({
    code: "NEWER_FORMAT",
    problem:
      `The documents in ${place} are of format ${format}, as ${document} says, and this version of rs-emit ` +
      `knows format ${FORMAT}: a newer version published them.`,
    cure: "Update rs-emit here, with its plugins, to the version that published last or a newer one, and run again.",
    about: document,
  });
}

export function missingDocumentError(document: string, place: string, why: string): EmitError {
  return new EmitError({
    code: "MISSING_DOCUMENT",
    problem: `The published document ${document} is missing (in ${place}): ${why}`,
    ...restoring(place),
    about: document,
  });
}

/** Only the Source Description of a publication is left. */
export function lostLogError(place: string): EmitError {
  return new EmitError({
    code: "LOST_LOG",
    problem: `The published document ${RESOURCE_LIST} is missing (in ${place}): a document that names it is there, and no log is.`,
    ...restoring(place),
    about: RESOURCE_LIST,
  });
}

/** A live site has no document, yet rs-emit wrote into its pages, or its feed is there. */
export function tracesError(address: string, site: string): EmitError {
  return new EmitError({
    code: "LOST_LOG",
    problem:
      `${site} has no document of a change log, yet ${address} is by rs-emit: the site has been published ` +
      "before, and its followers would be told every page twice.",
    cure: [
      RESTORE_SITE[0],
      sentence`Where nothing of the log is left, or nothing was ever published on this site, say so with the option ${mention("first", "true")}.`,
    ],
    about: address,
  });
}

/** Documents exist, but no Source Description, and no Capability List to rebuild it from. */
export function lostDescriptionError(document: string, place: string): EmitError {
  return new EmitError({
    code: "LOST_DESCRIPTION",
    problem:
      `The Source Description ${SOURCE_DESCRIPTION} is missing (in ${place}), yet ${document} is ` +
      "there: the site has been published before. Without the Capability List beside it, " +
      `${CAPABILITY_LIST}, which collections there were is not known.`,
    ...restoring(place),
  });
}

/**
 * A build without the log left a no-log file here, and there is no log beside it.
 * @param site the address that the build was for
 */
export function logElsewhereError(
  document: string,
  place: string,
  site: string | undefined,
): EmitError {
  return new EmitError({
    code: "LOG_ELSEWHERE",
    problem:
      `${document} (in ${place}) says that the site was built without its change log, so the log is ` +
      "elsewhere. To begin anew would tell every page twice.",
    cure: [
      sentence`Deploy the last publication that had its log again, all of it, or read a copy of that folder with the option ${mention("previous", "copy")}.`,
      sentence`Where no copy is left, or nothing was ever published, the options ${mention("previous", "output")} and ${mention("first")}, for one run, begin a new log.`,
    ],
    about: site,
  });
}

/** The cure depends on whether the documents are files or on the live site. */
function restoring(place: string): { readonly cure: Text } {
  return { cure: /^https?:/.test(place) ? RESTORE_SITE : RESTORE_FOLDER };
}

const RESTORE_SITE = [
  "Deploy the last publication again, all of it, and run again: upload its folder, run its deploy job " +
    "again, or restore that deploy at your host.",
  sentence`Where none of these is left, the options ${mention("previous", "output")} and ${mention("first")}, for one run, give up the log and start over.`,
] as const;

const RESTORE_FOLDER = [
  sentence`Restore it from the last deploy or from version control, or read the live site with the option ${mention("previous", "site")}.`,
  sentence`To give up the log and start over, delete the documents and use the option ${mention("first")}.`,
] as const;

/** The Resource List is newer than the Change Lists: log entries are missing. */
export function snapshotAheadError(document: string, place: string): EmitError {
  return new EmitError({
    code: "SNAPSHOT_AHEAD",
    problem:
      `The documents in ${place} are of different publications: ${document} is older than the ` +
      "Resource List beside it, so changes are missing from the log. A deploy was cut short, or a " +
      "cache still serves the old file.",
    cure: "Deploy the last published folder again (or wait for the cache) and run again.",
    about: document,
  });
}

export function otherSiteError(found: string, site: string): EmitError {
  return new EmitError({
    code: "OTHER_SITE",
    problem: `The published documents belong to ${found}, not to ${site}.`,
    cure: sentence`If the site has moved, say so with the option ${mention("movedFrom", found)}: its log is kept.`,
  });
}

export function noPreviousFolderError(folder: string): EmitError {
  return new EmitError({
    code: "NO_PREVIOUS",
    isUsage: true,
    problem: `There is no folder ${folder} to read the last publication from.`,
    cure: sentence`Check the option ${mention("previous")}, or use auto, output, site or none.`,
  });
}

export function noLogError(place: string): EmitError {
  return new EmitError({
    code: "NO_LOG",
    problem: `There is no change log in ${place === "." ? "this folder" : place}.`,
    cure: "Name the folder that rs-emit publishes, the one with .well-known in it, or the address of the site.",
  });
}

const NEVER_PUBLISHED = sentence`If nothing was ever published on this site, as on a new one, say so with the option ${mention("first", "true")}.`;

const READ_ELSEWHERE = [
  NEVER_PUBLISHED,
  sentence`Else run again once the site answers, or name a copy of its last publication with the option ${mention("previous")}.`,
];

export function siteUnreachableError(
  url: string,
  why: string,
  cure: Text = READ_ELSEWHERE,
  cause?: unknown,
): EmitError {
  return new EmitError({
    code: "SITE_UNREACHABLE",
    problem: `What was published last is not known: ${url} ${why}.`,
    cause,
    cure,
    option: "previous",
    about: url,
  });
}

export function siteMovedError(url: string, origin: string): EmitError {
  return siteUnreachableError(url, `leads to another host, ${origin}`, [
    sentence`If the site is there, give that address with the option ${mention("url")}.`,
    sentence`If it was published under the old one before, give that with the option ${mention("movedFrom")}.`,
    NEVER_PUBLISHED,
  ]);
}

export function siteStatusError(url: string, status: number): EmitError {
  const isRefused = (status === 401 || status === 403) && url.endsWith(SOURCE_DESCRIPTION);
  return new EmitError({
    code: "SITE_STATUS",
    problem: `What was published last is not known: ${url} answers ${status}.`,
    cure: isRefused ? [DOT_FOLDERS, ...READ_ELSEWHERE] : READ_ELSEWHERE,
    option: "previous",
    about: url,
  });
}

const DOT_FOLDERS =
  "Many servers refuse every folder that begins with a dot: let yours serve .well-known, or answer 404 there.";

/** The site answers every address with a web page, so a missing document cannot be recognized. */
export function siteCatchAllError(url: string): EmitError {
  return new EmitError({
    code: "SITE_CATCH_ALL",
    problem:
      `The live site answers ${url} with a web page, as it does for addresses that do not exist, so it ` +
      "does not show whether something was published.",
    cure: sentence`If nothing was, say so with the option ${mention("first", "true")}.`,
  });
}

const NAMED = 10;

interface StalePages {
  readonly site: string;
  readonly folder: string;
  readonly stale: readonly string[];
  readonly both: readonly string[];
}

/** The site was published from elsewhere after the folder received its documents. */
export function stalePagesError({ site, folder, stale, both }: StalePages): EmitError {
  const states = [
    ...(stale.length === 0
      ? []
      : [`${count(stale.length, "page is", "pages are")} still as before (${list(stale, NAMED)})`]),
    ...(both.length === 0
      ? []
      : [`${count(both.length, "page was", "pages were")} edited in both (${list(both, NAMED)})`]),
  ];
  return new EmitError({
    code: "STALE_PAGES",
    problem:
      `${site} was published from elsewhere after the folder ${folder} was. Here ${states.join(", and ")}: ` +
      "publishing would undo what was done there.",
    cure: [
      "Fetch the site's files into the folder, with the documents of its change log, and run again. For " +
        `Neocities: ${pullCommand(site, folder)}.`,
      "If a builder fills the folder, fetch the newest sources and empty it before the build.",
    ],
    option: "previous",
  });
}

/** The command that fetches what is newer on the site. */
export function pullCommand(site: string, folder: string): string {
  const name = /^https:\/\/([^./]+)\.neocities\.org\//.exec(site)?.[1] ?? new URL("/", site).href;
  return `npx rs-emit neocities ${name} --pull ${/\s/.test(folder) ? `"${folder}"` : folder}`;
}
