import { list } from "@rs-emit/documents";
import { DUMP_LIMITS } from "../model/environment.ts";
import { RESOURCE_DUMP } from "../model/layout.ts";
import { type Note, TextNote } from "../model/note.ts";
import type { CollectionWork } from "../model/plan.ts";
import { mention, sentence } from "../model/sentence.ts";
import type { Settings } from "../options/settings.ts";
import type { PublishedDocument } from "../write/staging.ts";
import type { LostPackages } from "./result.ts";

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
