import { hash } from "node:crypto";
import { fetchAgain } from "@rs-emit/core";
import { wholeBodyWithin } from "@rs-emit/documents";
import { CommandError, EXIT } from "../errors.ts";

/** Milliseconds. */
const TIMEOUT = 300_000;

/**
 * Downloads a file past caches, and repeats the request to a busy site.
 * @throws {CommandError} if it is missing, or its SHA-1 is not the one in the API's list
 */
export async function download(site: string, path: string, sha1: string): Promise<Uint8Array> {
  const url = new URL(path.split("/").map(encodeURIComponent).join("/"), site);
  url.searchParams.set("rs-emit", sha1);
  try {
    const response = await fetchAgain(() =>
      fetch(url, {
        headers: { "cache-control": "no-cache", "user-agent": "rs-emit" },
        signal: AbortSignal.timeout(TIMEOUT),
      }),
    );
    // The page for missing addresses is served with status 404.
    if (!response.ok && !/^not_found\.html$/.test(path))
      throw failed(path, `it answers ${response.status}`);
    const bytes = new Uint8Array(await wholeBodyWithin(response.body, TIMEOUT));
    if (hash("sha1", bytes, "hex") !== sha1) {
      throw failed(path, "it has other bytes than Neocities lists; it may have just been changed");
    }
    return bytes;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw failed(path, cause instanceof Error ? cause.message : String(cause));
  }
}

/** The command that downloads newer files of the site. */
export function pullCommand(url: string, folder: string): string {
  const name = /^https:\/\/([^.]+)\.neocities\.org\/$/.exec(url)?.[1] ?? url;
  return `rs-emit neocities ${name} --pull ${/\s/.test(folder) ? `"${folder}"` : folder}`;
}

function failed(path: string, reason: string): CommandError {
  return new CommandError({
    code: "NEOCITIES_DOWNLOAD",
    problem: `${path} could not be fetched from the site: ${reason}. Nothing was sent.`,
    cure: "Run the same command again in a minute: what was fetched stays.",
    exitCode: EXIT.failed,
  });
}
