import { readFileSync } from "node:fs";
import type { HostTokens } from "./bearer-tokens.ts";

/** The sender of requests, and where they may go. */
export interface Requester {
  readonly allowPrivate?: boolean | undefined;
  /** A URL (`https:`, `mailto:`) of the operator. */
  readonly contact?: string | undefined;
  readonly tokens?: HostTokens | undefined;
}

/** The name in robots.txt (RFC 9309, section 2.2.1). */
export const PRODUCT = "rs-harvest";

const DEFAULT_CONTACT = "https://www.npmjs.com/package/rs-harvest";

/** `contact` is a URL of the operator. Throws {@link TypeError} if it is none. */
export function userAgent(contact: string = DEFAULT_CONTACT): string {
  return `${PRODUCT}/${ownVersion()} (+${new URL(contact).href})`;
}

export function ownVersion(): string {
  // The bundler defines it.
  const bundled = process.env.RS_HARVEST_VERSION;
  if (bundled !== undefined) return bundled;
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const { version }: { version: string } = JSON.parse(manifest);
  return version;
}
