import { HarvestError } from "../../errors.ts";
import { BusyError, StatusError, UnreachableError } from "../../http/errors.ts";
import type { Description } from "../../model.ts";
import type { RememberedDocument } from "../reading.ts";
import type { DescriptionCache, SentDescription } from "./description-cache.ts";
import { understand } from "./understand.ts";

/** What is asked of the documents that describe something. */
export interface DescriptionRequest {
  /** The documents (`describedby`), the best first. */
  readonly urls: readonly string[];
  /** The URL of what they describe. */
  readonly about: string;
  /** Whether what the first of them said is known, where it is remembered. */
  readonly isKnown: boolean;
}

/** What came of it. */
export type DescriptionReading =
  | {
      readonly status: "read";
      readonly description: Description;
      /** How the document will be known. */
      readonly document: RememberedDocument;
    }
  /** What is known holds. */
  | { readonly status: "unchanged" }
  /** None of the documents says anything. */
  | { readonly status: "none" }
  /** A document that may say something could not be had now. */
  | { readonly status: "failed"; readonly error: HarvestError };

/**
 * Reads what is said of a collection or a source, from the first document that says anything. A
 * description is no reason for a check to fail: what could not be read is tried again next time.
 */
export async function readDescription(
  cache: DescriptionCache,
  { urls, about, isKnown }: DescriptionRequest,
): Promise<DescriptionReading> {
  for (const [place, url] of urls.entries()) {
    // Only the first can be what is known: another one was read because the first said nothing.
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

/** Whether another time may bring another answer. */
function isPassing(error: HarvestError): boolean {
  if (error instanceof StatusError) return error.status >= 500;
  return error instanceof BusyError || error instanceof UnreachableError;
}
