import { count, formatDatetime, list, plural } from "@rs-emit/documents";
import { DUMP_LIMITS } from "../model/environment.ts";
import { SITEMAP_PROGRAMS } from "../model/errors.ts";
import {
  ABOUT,
  ADOPTED_LIST,
  CAPABILITY_LIST,
  HEADERS,
  NOTIFICATION,
  RESOURCE_DUMP,
  SOURCE_DESCRIPTION,
} from "../model/layout.ts";
import type { CollectionWork, Plan } from "../model/plan.ts";
import type { ImportedLog } from "../model/publication.ts";
import type { Inventory } from "../model/resources.ts";
import { mention, type Note, sentence, TextNote } from "../model/sentence.ts";
import type { Settings } from "../options/settings.ts";
import type { PublishedDocument } from "../write/staging.ts";
import { pastNotes } from "./past-notes.ts";
import type { LostPackages, SitemapState } from "./report.ts";

export function planNotes(plan: Plan): Note[] {
  const { collections, past, published } = plan;
  const repaired = published?.collections.filter((one) => one.repaired) ?? [];
  return [
    ...clockNote(plan),
    ...rewordedNote(plan),
    ...repairNote(repaired.map(({ url }) => url)),
    ...rebuiltNote(published?.rebuilt ?? false),
    ...collections.flatMap(({ imported }) =>
      imported === undefined ? [] : importedNote(imported),
    ),
    ...(past === undefined ? [] : pastNotes(past)),
  ];
}

function rewordedNote({ reworded = 0 }: Plan): Note[] {
  if (reworded === 0) return [];
  const words =
    `${count(reworded, "page says", "pages say")} in other words what ${plural(reworded, "it", "they")} said, and followers hear of it. ` +
    "If they need not, run this once more before you upload,";
  return [
    new TextNote("REWORDED", [
      words,
      sentence`with the options ${mention("previous", "site")} and ${mention("minor")}.`,
    ]),
  ];
}

function clockNote({ clockCorrected, time }: Plan): Note[] {
  if (!clockCorrected) return [];
  const message =
    "The clock is behind the last publication: this one is dated one second after it, " +
    `${formatDatetime(time)}.`;
  return [new TextNote("CLOCK_CORRECTED", message)];
}

function rebuiltNote(rebuilt: boolean): Note[] {
  if (!rebuilt) return [];
  const message =
    "The Source Description was missing. It was rebuilt from the Capability " +
    "Lists; entries that others wrote into it could not be restored. Many hosts and deploy tools leave " +
    "out folders that begin with a dot: let them include .well-known (GitHub Pages: a file .nojekyll, " +
    "or include-hidden-files: true).";
  return [new TextNote("DESCRIPTION_REBUILT", message)];
}

function repairNote(repaired: readonly string[]): Note[] {
  if (repaired.length === 0) return [];
  return [
    new TextNote(
      "REPAIRED",
      `The last publication was cut short. It was completed: ${list(repaired)}.`,
    ),
  ];
}

/** @param ignored whether `first` was set although something is published */
export function firstNotes(unfinished: boolean, ignored: boolean): Note[] {
  const notes: Note[] = [];
  if (unfinished) {
    const message = "The first publication had been cut short: it was started over.";
    notes.push(new TextNote("STARTED_OVER", message));
  }
  if (ignored) {
    const message = sentence`The site has been published before: the option ${mention("first")} has no effect. Leave it out.`;
    notes.push(new TextNote("FIRST_IGNORED", message));
  }
  return notes;
}

export function cleanUrlsNote(
  { site, cleanUrls, cleanUrlsGiven }: Settings,
  { resources }: Inventory,
): Note[] {
  const isConcerned = resources.some(({ file = "" }) => /(?<!^index|\/index)\.html$/.test(file));
  if (!cleanUrls || cleanUrlsGiven || !isConcerned) return [];
  const text = sentence`${new URL(site).hostname} serves about.html as /about: the log has addresses without .html. If yours have it, set the option ${mention("cleanUrls", "false")} before you upload.`;
  return [new TextNote("CLEAN_URLS", text)];
}

/** Only a host's root can have a `.well-known` folder. */
export function wellKnownNote({ site, collections, link }: Settings): Note[] {
  if (link || new URL(site).pathname === "/") return [];
  const links = collections.map(
    ({ url }) => `<link rel="resourcesync" href="${url}${CAPABILITY_LIST}">`,
  );
  const text = sentence`${site}${SOURCE_DESCRIPTION} is not at the place IFCC-0001 asks for, the root of the host. Followers find it by a link in the pages of each log: ${links.join(", ")}. The option ${mention("link")} writes it.`;
  return [new TextNote("NOT_WELL_KNOWN", text)];
}

function importedNote({ collection, entries, changes, left, documents }: ImportedLog): Note {
  const [oldest, newest] = [changes[0], changes.at(-1)];
  const times =
    oldest === undefined || newest === undefined
      ? ""
      : `, from ${formatDatetime(oldest.datetime)} to ${formatDatetime(newest.datetime)}`;
  const undated = entries.length - changes.length;
  const place = `(in ${list(documents)})`;
  const lost = `${count(left, "entry that says", "entries that say")} no change, or ${plural(left, "is", "are")} of another site, and could not be kept.`;
  if (entries.length === 0)
    return new TextNote("ADOPTED", `The log of ${collection} ${place} had ${lost}`);
  const text = [
    `The log of ${collection} goes on: it had ${count(entries.length, "entry", "entries")} that rs-emit did not write${times} ${place}. They stay, in ${ADOPTED_LIST}.xml.`,
    ...(undated === 0
      ? []
      : [
          `${undated} of them ${plural(undated, "has", "have")} no datetime: followers ignore such entries.`,
        ]),
    ...(left === 0 ? [] : [`Besides, it had ${lost}`]),
  ];
  return new TextNote("ADOPTED", text);
}

/** Descriptions that an imported log linked, where no option names one. */
export function describedAnewNote({ collections }: Plan, { whole }: Settings): Note[] {
  const replaced = collections.flatMap(({ collection, imported }) => [
    whole.describedby === undefined ? imported?.descriptions.site : undefined,
    collection.describedby === undefined ? imported?.descriptions.collection : undefined,
  ]);
  const named = new Set(replaced.filter((one) => one !== undefined));
  if (named.size === 0) return [];
  const text = [
    `The ${ABOUT} of rs-emit is linked in place of ${list([...named])}.`,
    sentence`To link ${plural(named.size, "that", "those")}, set the option ${mention("describedby")}, for the site or the collection.`,
  ];
  return [new TextNote("DESCRIBED_ANEW", text)];
}

/** These hosts take no headers from a file. */
const WITHOUT_HEADERS = /(?:^|\.)(?:neocities\.org|github\.io|gitlab\.io|codeberg\.page)$/;

/** Hosts that do not send the headers limit discovery; repeated when a Capability List has news. */
export function headersNote(
  { headers, hub, site }: Settings,
  documents: readonly PublishedDocument[],
): Note[] {
  const isNew = documents.some(
    ({ path, status }) => path.endsWith(CAPABILITY_LIST) && status === "written",
  );
  const { hostname } = new URL(site);
  const isIdle = headers && WITHOUT_HEADERS.test(hostname);
  if (!isNew || !(isIdle || (hub !== undefined && !headers))) return [];
  const lost =
    hub === undefined
      ? `Link headers do not lead followers to the log: they find it by ${SOURCE_DESCRIPTION}, or by links in your pages.`
      : `${NOTIFICATION} has no Link headers, which Change Notification asks for: followers find the hub in ` +
        "the Capability List and in the feed, and a hub that reads the headers of its topics finds nothing.";
  const cure = isIdle
    ? `${hostname} takes no headers from ${HEADERS}: leave the option out.`
    : sentence`Netlify and Cloudflare Pages take headers from a file: there, set the option ${mention("headers", "true")}.`;
  return [new TextNote("NO_HEADERS", [lost, cure])];
}

/** Whether the author must act so that search engines find this sitemap, and no other sitemap beside it. */
export function sitemapNotes(sitemap: SitemapState | undefined, { site }: Settings): Note[] {
  if (sitemap === undefined) return [];
  const { url, pages, isNamed, isNew, others } = sitemap;
  if (pages === 0) {
    const text =
      "No sitemap was written: the site has no page that search engines may list. See what robots.txt, " +
      "_headers and the pages themselves tell them.";
    return [new TextNote("NO_SITEMAP", text)];
  }
  const isOfHost = new URL(site).pathname === "/";
  const line = isOfHost
    ? sentence`Search engines find the sitemap by a line of robots.txt: Sitemap: ${url} The option ${mention("robots")} writes it.`
    : `Search engines read robots.txt at the host's root alone: tell them of ${url} in their consoles.`;
  return [
    ...(isNew && !isNamed ? [new TextNote("SITEMAP_NOT_NAMED", [line].flat())] : []),
    ...(others.length === 0 ? [] : [otherSitemaps(others, url)]),
  ];
}

function otherSitemaps(others: readonly string[], url: string): Note {
  const text =
    `Search engines are told of ${list(others)} too, and ${plural(others.length, "its", "their")} dates may ` +
    `differ from those of ${url}. Keep one of them: turn off what writes the other (${SITEMAP_PROGRAMS}), ` +
    "and name only the one that stays in robots.txt.";
  return new TextNote("TWO_SITEMAPS", text);
}

const LARGE = DUMP_LIMITS.bytes;

export function dumpNotes(
  { dump, site }: Settings,
  collections: readonly CollectionWork[],
  documents: readonly PublishedDocument[],
): Note[] {
  if (dump === undefined) return [];
  const notes: Note[] = [];
  const paths = new Set(documents.map(({ path }) => path));
  const left = collections.filter(
    ({ collection, derived }) =>
      derived.snapshot.length > 0 && !paths.has(collection.folder + RESOURCE_DUMP),
  );
  if (left.length > 0) {
    const urls = list(left.map(({ collection }) => collection.url));
    const message =
      `No Resource Dump of ${urls} was written: not every file in the output folder is the one that ` +
      "the Resource List describes. Run rs-emit again after the next complete build.";
    notes.push(new TextNote("DUMP_LEFT_OUT", message));
  }
  const packages = documents.filter(({ path }) => path.endsWith(".zip"));
  const isNew = packages.some(({ status }) => status === "written");
  const large = packages.filter(({ length }) => length > LARGE);
  if (isNew && large.length > 0) {
    const named = list(large.map(({ path, length }) => `${path} (${megabytes(length)} MB)`));
    const message =
      `${named}: one file alone is larger than a package should be. Cloudflare Pages refuses files ` +
      "above 25 MiB, GitHub Pages and Neocities above 100 MB.";
    const cure = sentence`Such files can be left out of the log with the option ${mention("exclude")}.`;
    notes.push(new TextNote("DUMP_LARGE", [message, cure]));
  }
  if (isNew && /(?:^|\.)neocities\.org$/.test(new URL(site).hostname)) {
    const text = sentence`Neocities accepts .zip files of supporters only: on a free site, leave out the option ${mention("dump")}.`;
    notes.push(new TextNote("DUMP_REFUSED", text));
  }
  return notes;
}

export function lostPackagesNote({ url, names }: LostPackages): Note[] {
  if (names.length === 0) return [];
  const [are, them] = names.length === 1 ? ["is", "it"] : ["are", "them"];
  const message =
    `${list(names)} of the Change Dump of ${url} ${are} missing, or not as published. The Change Dump ` +
    `begins after ${them}: older changes are in the Change Lists.`;
  return [new TextNote("DUMP_LOST", message)];
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6);
}
