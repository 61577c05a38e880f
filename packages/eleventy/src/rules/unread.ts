import type { Facts } from "@rs-emit/core/adapter";

/**
 * A value that an old version computes: it is known only that the same text gives the same.
 *
 * Old versions are never run: what they import may be gone, or another by now.
 */
export class Unread {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A permalink that a function puts together from data and nothing else, in Liquid's notation. */
export class PlainFunction {
  readonly template: string;
  constructor(template: string) {
    this.template = template;
  }
}

/** Stands for every name that a file may set and that cannot be read. */
export const ANY = "*";

/** What a file says that may say anything: of whatever decides on pages, it is not known. */
export function unknownFacts(text: string): Facts {
  const unread = new Unread(text);
  const decided = { permalink: unread, resourcesync: unread };
  return { ...decided, draft: unread, eleventyComputed: decided, [ANY]: unread };
}

/** Whether data holds what a file says that may say anything. */
export function mayHoldAnything(data: Facts): boolean {
  return ANY in data;
}
