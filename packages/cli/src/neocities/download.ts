import { hash } from "node:crypto";
import { askHost, reasonOfSilence } from "@rs-emit/core";
import { CommandError, EXIT } from "../errors.ts";

/**
 * Downloads a file past caches, and repeats the request to a busy site.
 * @throws {CommandError} if it is missing, or its SHA-1 is not the one in the API's list
 */
export async function download(site: string, path: string, sha1: string): Promise<Uint8Array> {
  const url = new URL(path.split("/").map(encodeURIComponent).join("/"), site);
  try {
    const { ok, status, body } = await askHost(url, {
      milliseconds: 300_000,
      bytes: Number.POSITIVE_INFINITY,
      pastCaches: sha1,
    });
    // The page for missing addresses is served with status 404.
    if (!ok && path !== "not_found.html") throw failed(path, `it answers ${status}`);
    if (hash("sha1", body, "hex") !== sha1) {
      throw failed(path, "it has other bytes than Neocities lists; it may have just been changed");
    }
    return body;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw failed(path, reasonOfSilence(error));
  }
}

function failed(path: string, reason: string): CommandError {
  return new CommandError({
    code: "NEOCITIES_DOWNLOAD",
    problem: `${path} could not be fetched from the site: ${reason}. Nothing was sent.`,
    cure: "Run the same command again in a minute: what was fetched stays.",
    exitCode: EXIT.failed,
  });
}
