import { secondsOf } from "@rs-emit/documents";
import { UsageError } from "./errors.ts";

/** Parsers of option values. Each throws a {@link UsageError} that names the option. */

export function toUrl(option: string, text: string): string {
  const url = URL.parse(text.trim());
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href;
  throw new UsageError(
    `${option} needs a whole address such as https://example.org/, not "${text}".`,
  );
}

/** Ends with a slash. */
export function toFolderUrl(option: string, text: string): string {
  const url = new URL(toUrl(option, text));
  if (url.search === "" && url.hash === "") return url.href.replace(/\/*$/, "/");
  throw new UsageError(`${option} needs the address of a folder, without ? and #, not "${text}".`);
}

/** UTC seconds. */
export function toSeconds(option: string, text: string): number {
  const seconds = secondsOf(text);
  if (seconds !== undefined) return seconds;
  throw new UsageError(`${option} needs a datetime such as 2026-10-01T12:00:00Z, not "${text}".`);
}

export function toCount(option: string, text: string, least: number, most: number): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= least && count <= most) return count;
  throw new UsageError(`${option} needs a number from ${least} to ${most}, not "${text}".`);
}

/** A page or mail address, as a URL. */
export function toContact(option: string, text: string): string {
  const whole = /^[^\s:/@]+@[^\s:/@]+\.[^\s:/@]+$/.test(text) ? `mailto:${text}` : text;
  const url = URL.parse(whole);
  if (url !== null && /^(?:https?|mailto):$/.test(url.protocol)) return url.href;
  throw new UsageError(
    `${option} needs a page or a mail address, such as https://example.org/about or me@example.org, not "${text}".`,
  );
}

/** A PostgreSQL address. Not repeated in messages: it may hold a password. */
export function toDatabase(option: string, text: string): string {
  const protocol = URL.parse(text)?.protocol;
  if (protocol === "postgres:" || protocol === "postgresql:") return text;
  throw new UsageError(
    `${option} needs the address of a PostgreSQL server, such as postgres://name:password@host/database.`,
  );
}

export function toPath(option: string, text: string): string {
  if (text.trim() !== "") return text;
  throw new UsageError(`${option} needs a path, and was given none.`);
}
