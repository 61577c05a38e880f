import { EmitError } from "../model/errors.ts";
import { CAPABILITY_LIST, RESOURCE_LIST } from "../model/layout.ts";

/** A published document that cannot be trusted. Nothing is written: history is never restarted silently. */
export class DamagedDocumentError extends EmitError {
  readonly code = "DAMAGED_DOCUMENT";
  /** The document's path below the site. */
  readonly document: string;
  constructor(document: string, folder: string, why: string) {
    super(
      `The published document ${document} (in ${folder}) cannot be continued: ${why} ` +
        `${cure(folder)} Nothing was written.`,
    );
    this.document = document;
  }
}

/** A document that another one names, or that must stand beside the others, is not there. */
export class MissingDocumentError extends EmitError {
  readonly code = "MISSING_DOCUMENT";
  readonly document: string;
  constructor(document: string, folder: string, why: string) {
    super(
      `The published document ${document} is missing (in ${folder}): ${why} ` +
        `${cure(folder)} Nothing was written.`,
    );
    this.document = document;
  }
}

/** The Source Description is all that is left of a publication. */
export class LostLogError extends MissingDocumentError {
  constructor(place: string) {
    super(RESOURCE_LIST, place, "a document that names it is there, and no log is.");
  }
}

/**
 * Documents stand there without a Source Description, and without the Capability List that it could be
 * rebuilt from.
 */
export class LostDescriptionError extends EmitError {
  readonly code = "LOST_DESCRIPTION";
  /** @param document stands there, though its collection has no Capability List that can be used */
  constructor(document: string, place: string) {
    super(
      `The Source Description .well-known/resourcesync is missing (in ${place}), yet ${document} is ` +
        "there: the site has been published before. Without the Capability List beside it, " +
        `${CAPABILITY_LIST}, which collections there were is not known. ${cure(place)} ` +
        "Nothing was written.",
    );
  }
}

/** The Resource List is newer than the Change Lists beside it: log entries are missing. */
export class SnapshotAheadError extends EmitError {
  readonly code = "SNAPSHOT_AHEAD";
  readonly document: string;
  constructor(document: string, folder: string) {
    super(
      `The documents in ${folder} are of different publications: ${document} is older than the ` +
        "Resource List beside it, so changes are missing from the log. A deploy was cut short, or a " +
        "cache still serves the old file. Deploy the last published folder again (or wait for the " +
        "cache) and run again. Nothing was written.",
    );
    this.document = document;
  }
}

/** The Source Description lists collections of another site. */
export class OtherSiteError extends EmitError {
  readonly code = "OTHER_SITE";
  constructor(found: string, site: string) {
    super(
      `The published documents belong to ${found}, not to ${site}. If the site has moved, say so ` +
        `with the option movedFrom: "${found}" (--moved-from ${found}): its log is kept. ` +
        "Nothing was written.",
    );
  }
}

/** The folder given as `previous` is not there. */
export class NoPreviousFolderError extends EmitError {
  readonly code = "NO_PREVIOUS";
  constructor(folder: string) {
    super(
      `There is no folder ${folder} to read the last publication from. Check the option previous ` +
        "(--previous), or use auto, output, site or none.",
    );
  }
}

/** What helps depends on whether the documents are files or the live site's. */
function cure(place: string): string {
  return /^https?:/.test(place)
    ? "Deploy the last publication again, all of it, and run again: upload its folder, run its deploy " +
        "job again, or restore that deploy at your host. Where none of these is left, the options " +
        'previous: "output" and first (--previous output --first), for one run, give up the log and ' +
        "start over."
    : "Restore it from the last deploy or from version control, or read the live site with " +
        'previous: "site" (--previous site). To give up the log and start over, delete the documents and ' +
        "use the option first (--first).";
}
