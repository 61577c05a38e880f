import { HarvestError } from "../../errors.ts";
import { BusyError, StatusError, UnreachableError } from "../../http/errors.ts";
import type { Description } from "../../model.ts";
import type { RememberedDocument } from "../reading.ts";
import type { DescriptionCache, SentDescription } from "./description-cache.ts";
import { understand } from "./understand.ts";

export interface DescriptionRequest {
  /** Best first. */
  readonly urls: readonly string[];
  readonly about: string;
  /** The first document's remembered content is known. */
  readonly isKnown: boolean;
}

export type DescriptionReading =
  | {
      readonly status: "read";
      readonly description: Description;
      readonly document: RememberedDocument;
    }
  | { readonly status: "unchanged" }
  | { readonly status: "none" }
  | { readonly status: "failed"; readonly error: HarvestError };

/** Reads the first document with content. A failure does not fail the check. */
export async function readDescription(
  cache: DescriptionCache,
  { urls, about, isKnown }: DescriptionRequest,
): Promise<DescriptionReading> {
  for (const [place, url] of urls.entries()) {
    // Only the first can be the known one: others were read because the first was empty.
    const delivery = await cache.get(url, isKnown && place === 0);
    if (delivery === undefined) return { status: "unchanged" };
    if (delivery instanceof HarvestError) {
      if (isPassing(delivery)) return { status: "failed", error: delivery };
      continue;
    }
    const description = descriptionIn(delivery, about);
    if (description !== undefined) {
      return { status: "read", description, document: delivery.document };
    }
  }
  return { status: "none" };
}

function descriptionIn({ bytes, base }: SentDescription, about: string): Description | undefined {
  try {
    return understand(bytes, { about, base });
  } catch (error) {
    if (error instanceof HarvestError) return undefined;
    throw error;
  }
}

/** Whether a later request may succeed. */
function isPassing(error: HarvestError): boolean {
  if (error instanceof StatusError) return error.status >= 500;
  return error instanceof BusyError || error instanceof UnreachableError;
}
