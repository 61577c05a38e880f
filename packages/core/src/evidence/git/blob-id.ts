import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Repository } from "./repository.ts";

/**
 * The id git gives to contents: files of the same bytes are one blob. Filters, such as those for the
 * ends of lines, are not applied.
 */
export function blobId({ head }: Repository, contents: Uint8Array): string {
  // All ids of a repository are of one length, which tells the hash.
  const hash = createHash(head?.length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${contents.length}\0`).update(contents).digest("hex");
}

/** The id of a file's contents; one that cannot be read is like nothing that was committed. */
export function fileBlobId(repository: Repository, file: string | Buffer): string {
  try {
    return blobId(repository, readFileSync(file));
  } catch {
    return "unreadable";
  }
}
