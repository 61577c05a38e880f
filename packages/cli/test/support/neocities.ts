import { afterEach, beforeEach, vi } from "vitest";
import { Neocities } from "../../../../test/hosts/neocities.ts";
import { Terminal } from "./terminal.ts";

/** A site on Neocities for each test of the file, and its key in the environment. */
export function siteForEachTest(): { readonly site: Neocities } {
  let site: Neocities;
  beforeEach(async () => {
    site = await new Neocities().start();
    site.now = () => Date.now() / 1000 - 3600; // No update has to wait for its minute.
    vi.stubEnv("NEOCITIES_API_URL", site.api);
    vi.stubEnv("NEOCITIES_API_KEY", site.key);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await site[Symbol.asyncDispose]();
  });
  return {
    get site() {
      return site;
    },
  };
}

/** Runs the command; what it says comes without the line breaks of a terminal. */
export async function run(...args: readonly string[]) {
  const { exit, stdout, stderr } = await new Terminal().run(args);
  const unwrapped = (text: string) => text.replaceAll(/\s+/g, " ").trim();
  return { exit, stdout: unwrapped(stdout), stderr: unwrapped(stderr) };
}
