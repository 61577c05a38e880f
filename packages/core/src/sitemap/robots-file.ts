import { robotsAllow, robotsRules, robotsSitemaps } from "@rs-emit/documents";
import { ROBOTS } from "../model/layout.ts";
import type { Settings } from "../options/settings.ts";
import type { ComposedDocument } from "../write/composed-document.ts";
import { authorsText, withOwnLines } from "../write/own-lines.ts";

/** The contents of robots.txt (RFC 9309; sitemaps.org, "Specifying the Sitemap location"). */
export interface RobotsFile {
  isAllowed(url: string): boolean;
  readonly sitemaps: readonly string[];
}

const AGENTS = ["*", "Googlebot"];

/** Engines read it only at the host's root (RFC 9309, section 2.3). */
export function readRobotsFile({ folder, site }: Pick<Settings, "folder" | "site">): RobotsFile {
  const text = new URL(site).pathname === "/" ? authorsText(folder, ROBOTS) : undefined;
  if (text === undefined) return { isAllowed: () => true, sitemaps: [] };
  const rules = AGENTS.map((agent) => robotsRules(text, agent));
  return {
    isAllowed: (url) => rules.every((one) => robotsAllow(one, url)),
    sitemaps: robotsSitemaps(text).filter((one) => URL.canParse(one)),
  };
}

/** Adds or removes the line that names the sitemap. Throws ownLinesError. */
export function robotsLine(
  { folder, robots }: Pick<Settings, "folder" | "robots">,
  sitemap: string | undefined,
): readonly ComposedDocument[] {
  const lines = robots && sitemap !== undefined ? [`Sitemap: ${sitemap}`] : [];
  return [withOwnLines(folder, ROBOTS, lines) ?? []].flat();
}
