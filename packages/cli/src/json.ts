import type { Change, EmitResult } from "@rs-emit/core";
import type { BackfillResult } from "@rs-emit/core/backfill";
import { quoteLink } from "@rs-emit/core/words";
import type { CommandError } from "./errors.ts";
import { asFlag } from "./flags.ts";

/** What a run did, as one JSON object; times are W3C datetimes. */
export function toJson(result: EmitResult): string {
  return JSON.stringify(plainResult(result), null, 2);
}

export function backfillToJson({ next, past, ...result }: BackfillResult): string {
  const skipped = past.skipped.map((one) => ({ ...one, time: w3c(one.time) }));
  return JSON.stringify(
    { ...plainResult(result), past: { ...past, skipped }, next: next?.map(plainChange) },
    null,
    2,
  );
}

function plainResult(result: EmitResult) {
  const collections = result.collections.map(({ changes, ...collection }) => ({
    ...collection,
    changes: changes.map(plainChange),
  }));
  const notes = result.notes.map((note) => ({ code: note.code, message: note.worded(asFlag) }));
  return { ...result, collections, notes };
}

export function errorToJson({ code, message, problem, cure, option }: CommandError): string {
  return JSON.stringify({ error: { code, message, problem, cure, option } }, null, 2);
}

/** Omits page identities and digests, which only rs-emit can interpret. */
export function plainChange({ content: _, markup: __, quotes, ...change }: Change) {
  return {
    ...change,
    datetime: w3c(change.datetime),
    lastmod: w3c(change.lastmod),
    quotes: quotes && {
      ...quotes,
      shown: quotes.shown.map((quote) => {
        const { text, pictures } = quote;
        return { text, pictures, url: quoteLink(change.url, quote) };
      }),
    },
  };
}

function w3c(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}
