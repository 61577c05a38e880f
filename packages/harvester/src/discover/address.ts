import { HarvestError } from "../errors.ts";

/** What a follower gave is no address of a site. */
export class AddressError extends HarvestError {
  readonly code = "ADDRESS";
  constructor(text: string) {
    // Not with the name and password that it may hold.
    const shown = text.slice(0, 200).replace(/\/\/[^/?#]*@/, "//…@");
    super(
      `"${shown}" is no address of a site. Give it like https://example.org/, or just example.org.`,
    );
  }
}

/** Characters of an address: as many as are asked for, and as a database can look up. */
const LONGEST = 2000;

/**
 * The URL that somebody means who types an address, with or without `https://`.
 *
 * @throws {AddressError} when it is none
 */
export function normalizeAddress(text: string): string {
  const trimmed = text.trim();
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (trimmed === "" || /\s/.test(trimmed) || !URL.canParse(whole)) throw new AddressError(text);
  const url = new URL(whole);
  const isOfSite = /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  if (url.href.length > LONGEST) throw new AddressError(text);
  if (!isOfSite || !/[.:]|^localhost$/.test(url.hostname)) throw new AddressError(text);
  url.hash = "";
  return url.href;
}
