import { createHash } from "node:crypto";
import { readFile, realpath, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { Readable } from "node:stream";
import { decoded } from "../address.ts";
import { codeOf } from "../errors.ts";
import { openBody, oversized } from "./body.ts";
import { forbiddenError, MissingError, toFetchError } from "./errors.ts";
import { FETCH_LIMITS } from "./fetch-limits.ts";
import type { Answer, Transport } from "./transport.ts";

/**
 * A built folder as a transport: URLs below the site's are files, `index.html` for a trailing
 * slash. Validators are digests.
 * `get` throws {@link MissingError}; {@link HarvestError} for a link out of the folder and a file that is too large;
 * {@link UnreachableError} for an unreadable file.
 * @param siteUrl where the folder will be published
 */
export function folderTransport(folder: string, siteUrl: string): Transport {
  const site = new URL(siteUrl.endsWith("/") ? siteUrl : `${siteUrl}/`);
  return {
    async get(url, validators): Promise<Answer> {
      const bytes = await readWithin(folder, pathBelow(site, url), url);
      const etag = `"${createHash("sha256").update(bytes).digest("hex")}"`;
      const place = { url, permanentUrl: url };
      if (etag === validators?.etag) return { status: "unchanged", ...place };
      return {
        status: "fresh",
        ...place,
        validators: { etag },
        link: undefined,
        body: bodyOf(bytes, url),
        discard: async () => {},
      };
    },
  };
}

/** Throws {@link MissingError} for a URL that is not below the site's. */
function pathBelow(site: URL, url: string): readonly string[] {
  if (!URL.canParse(url)) throw new MissingError(url);
  const { origin, pathname } = new URL(url);
  if (origin !== site.origin || !pathname.startsWith(site.pathname)) throw new MissingError(url);
  const names = pathname
    .slice(site.pathname.length)
    .split("/")
    .map((name) => decoded(name) ?? name);
  if (names.at(-1) === "") names[names.length - 1] = "index.html";
  if (!names.every(isFileName)) throw new MissingError(url);
  return names;
}

function isFileName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\\\0]/.test(name);
}

async function readWithin(
  folder: string,
  names: readonly string[],
  url: string,
): Promise<Uint8Array> {
  try {
    const root = await realpath(folder);
    const file = await realpath(join(resolve(folder), ...names));
    if (!file.startsWith(root.endsWith(sep) ? root : root + sep)) {
      throw forbiddenError(url, "leads out of the folder");
    }
    const found = await stat(file);
    if (!found.isFile()) throw new MissingError(url);
    if (found.size > FETCH_LIMITS.bytes) throw oversized(url, FETCH_LIMITS.bytes);
    return await readFile(file);
  } catch (error) {
    throw isMissing(error) ? new MissingError(url) : toFetchError(url, error);
  }
}

function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(codeOf(error));
}

async function* bodyOf(bytes: Uint8Array, url: string): AsyncGenerator<Uint8Array> {
  try {
    yield* openBody(url, Readable.from([bytes]), undefined, FETCH_LIMITS.bytes, true);
  } catch (error) {
    throw toFetchError(url, error);
  }
}
