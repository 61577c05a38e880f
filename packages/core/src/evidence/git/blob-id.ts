import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Repository } from "./repository.ts";

/**
 * The id git gives to the contents of a file: files of the same bytes are one blob. Filters, such as
 * those for the ends of lines, are not applied. What cannot be read is like nothing that was committed.
 */
export function blobId({ head }: Repository, file: string | Buffer): string {
  try {
    const contents = readFileSync(file);
    // All ids of a repository are of one length, which tells the hash.
    const hash = createHash(head?.length === 64 ? "sha256" : "sha1");
    return hash.update(`blob ${contents.length}\0`).update(contents).digest("hex");
  } catch {
    return "unreadable";
  }
}
