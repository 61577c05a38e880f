import type { Change, EmitResult } from "@rs-emit/core";
import type { BackfillResult } from "@rs-emit/core/backfill";
import { printableJson, quoteLink } from "@rs-emit/core/words";
import type { CommandError } from "./errors.ts";
import { asFlag } from "./flags.ts";

/** The result as one JSON object; times are W3C datetimes. */
export function toJson(result: EmitResult): string {
  return printableJson(plainResult(result));
}

export function backfillToJson({ next, past, ...result }: BackfillResult): string {
  const skipped = past.skipped.map((one) => ({ ...one, time: w3c(one.time) }));
  const all = { ...plainResult(result), past: { ...past, skipped }, next: next?.map(plainChange) };
  return printableJson(all);
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
  return printableJson({ error: { code, message, problem, cure, option } });
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
