import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join, relative } from "node:path";
import { type Example, show } from "./examples.ts";

const COMMAND = join(import.meta.dirname, "../../packages/harvester/bin/rs-harvest.js");

/** The demo ends on this day, whatever day it is. */
const NOW = "2026-11-16T08:00:00Z";

/**
 * Reads what an example site has published, as a follower's harvester does, and writes its feeds.
 *
 * @returns the folder they are in
 */
export function harvest(output: string, feeds: string, { url }: Example): string {
  rmSync(feeds, { recursive: true, force: true });
  const shown = [relative(process.cwd(), output), "--url", url, "--out"];
  show(`npx rs-harvest ${[...shown, relative(process.cwd(), feeds)].join(" ")}`);
  const args = [COMMAND, output, "--url", url, "--out", feeds, "--now", NOW];
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
  return feeds;
}
