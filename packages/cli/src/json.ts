import type { Change, EmitResult } from "@rs-emit/core";
import type { CommandError } from "./errors.ts";

/** What a run did, as one JSON object; times are W3C datetimes. */
export function toJson(result: EmitResult): string {
  const collections = result.collections.map(({ changes, ...collection }) => ({
    ...collection,
    changes: changes.map(plain),
  }));
  return JSON.stringify({ ...result, collections }, null, 2);
}

/** Why a run failed, as one JSON object. */
export function errorToJson({ code, message }: CommandError): string {
  return JSON.stringify({ error: { code, message } }, null, 2);
}

/** The identities of a page mean something to rs-emit only. */
function plain({ content: _, markup: __, ...change }: Change) {
  return { ...change, datetime: w3c(change.datetime), lastmod: w3c(change.lastmod) };
}

function w3c(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}
