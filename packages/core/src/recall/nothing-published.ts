/** What shows that a place without documents was published all the same. */
import {
  beginsAsOurView,
  FEED,
  isNoLogMarker,
  markedSite,
  NO_LOG,
  SOURCE_DESCRIPTION,
} from "../model/layout.ts";
import type { ByteSpan } from "../model/page-marks.ts";
import type { Settings } from "../options/settings.ts";
import { findMarks } from "../page/placeholders/find-placeholders.ts";
import type { DocumentStore } from "./document-store.ts";
import { logElsewhereError, tracesError } from "./errors.ts";
import type { SiteStore } from "./live-site.ts";

/** Hosts lose dot folders, so there are two copies of the file. Throws logElsewhereError. */
export async function refuseNoLogFile(store: DocumentStore): Promise<void> {
  for (const document of [SOURCE_DESCRIPTION, NO_LOG]) {
    const bytes = await store.bytes(document);
    if (bytes && isNoLogMarker(bytes)) {
      throw logElsewhereError(document, store.place, markedSite(bytes));
    }
  }
}

/**
 * A live site that has no document may still have been published: its documents are gone, or the host hides them.
 * @throws {EmitError} `LOST_LOG` for a home page or a feed that rs-emit wrote into; as the host's answers
 */
export async function refuseTraces(
  live: SiteStore,
  { site, collections, feed }: Pick<Settings, "site" | "collections" | "feed">,
): Promise<void> {
  // Once, the site's root may have been the only collection.
  const folders = new Set(["", ...collections.map(({ url }) => url.slice(site.length))]);
  for (const path of folders) {
    const home = await live.page(path);
    const at = live.place + path;
    if (home !== undefined && isWrittenInto(home, new URL(at))) throw tracesError(at, live.place);
    const address = path + (feed?.file ?? FEED);
    const atom = await live.page(address);
    if (atom !== undefined && beginsAsOurView(atom)) {
      throw tracesError(live.place + address, live.place);
    }
  }
}

/** Whether the page has links of rs-emit to the site, not to one whose folder it is in, or a list that it filled. */
function isWrittenInto(page: Uint8Array, { pathname }: URL): boolean {
  const { ownLinks, regions } = findMarks(page, false);
  // A host that makes pages smaller leaves quotation marks out.
  const has = (text: string) => (span: ByteSpan) =>
    Buffer.from(page.subarray(span.start, span.end)).toString().replaceAll('"', "").includes(text);
  return ownLinks.some(has(` href=${pathname}`)) || regions.some(has("<li class=rs-emit-"));
}
