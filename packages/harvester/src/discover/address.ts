import { HarvestError } from "../errors.ts";

/** What a follower gave is no address of a site. */
export class AddressError extends HarvestError {
  readonly code = "ADDRESS";
  constructor(text: string) {
    super(
      `"${text.slice(0, 200)}" is no address of a site. Give it like https://example.org/, or just example.org.`,
    );
  }
}

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
  if (!isOfSite || !/[.:]|^localhost$/.test(url.hostname)) throw new AddressError(text);
  url.hash = "";
  return url.href;
}
