import { isNoLogMarker, NO_LOG, SOURCE_DESCRIPTION } from "../model/layout.ts";
import { logElsewhereError } from "./errors.ts";
import type { DocumentStore } from "./store.ts";

/** Hosts lose dot folders, so there are two copies of the file. Throws logElsewhereError. */
export async function refuseNoLogFile(store: DocumentStore): Promise<void> {
  for (const document of [SOURCE_DESCRIPTION, NO_LOG]) {
    const bytes = await store.bytes(document);
    if (bytes && isNoLogMarker(bytes)) throw logElsewhereError(document, store.place);
  }
}
