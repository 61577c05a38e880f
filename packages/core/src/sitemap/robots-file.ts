/// <reference path="./robots-parser.d.ts" />

import parse from "robots-parser";

/** What a site's robots.txt says (RFC 9309; sitemaps.org, "Specifying the Sitemap location"). */
export interface RobotsFile {
  /** Whether search engines may read a page. */
  isAllowed(url: string): boolean;
  /** The URLs of the sitemaps that it names. */
  readonly sitemaps: readonly string[];
}

const AGENTS = ["*", "Googlebot"];

/** @param text `undefined` where the folder has none, or the host takes it from elsewhere */
export function readRobotsFile(site: string, text: string | undefined): RobotsFile {
  if (text === undefined) return { isAllowed: () => true, sitemaps: [] };
  const robots = parse(new URL("/robots.txt", site).href, text);
  return {
    isAllowed: (url) => AGENTS.every((agent) => robots.isAllowed(url, agent) !== false),
    sitemaps: robots.getSitemaps(),
  };
}
