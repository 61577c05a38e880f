import { HarvestError } from "../errors.ts";

export class AddressError extends HarvestError {
  readonly code = "ADDRESS";
  constructor(text: string) {
    // Without the user name and password it may hold.
    const shown = text.slice(0, 200).replace(/\/\/[^/?#]*@/, "//…@");
    super(
      `"${shown}" is no address of a site. Give it like https://example.org/, or just example.org.`,
    );
  }
}

/** Characters of an address: an index of the database must hold it. */
const LONGEST = 2000;

/** The URL a person means, with or without `https://`. Throws {@link AddressError}. */
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
