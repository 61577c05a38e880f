import { isNoLogMarker, NO_LOG, SOURCE_DESCRIPTION } from "../model/layout.ts";
import { LogElsewhereError } from "./errors.ts";
import type { DocumentStore } from "./store.ts";

/**
 * Refuses a place whose build went on without the log. Hosts lose dot folders, so the marker stands twice.
 * @throws {LogElsewhereError}
 */
export async function refuseMarker(store: DocumentStore): Promise<void> {
  for (const document of [SOURCE_DESCRIPTION, NO_LOG]) {
    const bytes = await store.bytes(document);
    if (bytes && isNoLogMarker(bytes)) throw new LogElsewhereError(document, store.place);
  }
}
