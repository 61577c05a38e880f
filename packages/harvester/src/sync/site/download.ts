import { closeSync, openSync, writeFileSync } from "node:fs";
import {
  DigestedBytes,
  type HarvestError,
  type ListedBytes,
  listedDigest,
  readHttpDate,
  type Transport,
  type Validators,
} from "@rs-emit/reader";
import { forbiddenError } from "@rs-emit/reader/http/errors";
import { differentError } from "../errors.ts";

export interface Arrived {
  /** SHA-256 in hex. */
  readonly hash: string;
  readonly length: number;
  readonly validators: Validators;
  /** When these bytes were made, as far as is known: UTC seconds. */
  readonly modified: number | undefined;
}

export interface Described extends ListedBytes {
  readonly url: string;
}

/**
 * Fetches a resource into a file of its own.
 *
 * @param incoming the path of that file, which is not there yet
 * @param validators of what is held already, where the source states no hash
 * @param mayAsk whether an address may be asked, those that redirects lead to too
 * @returns `undefined` where it is unchanged
 * @throws {FetchError} where it cannot be had
 * @throws {HarvestError} where it is not what its list states
 */
export async function download(
  files: Transport,
  wanted: Described,
  {
    incoming,
    validators,
    mayAsk,
  }: { incoming: string; validators: Validators; mayAsk: (url: string) => boolean },
): Promise<Arrived | undefined> {
  const answer = await files.get(wanted.url, validators, async (asked) => {
    if (!mayAsk(asked)) throw forbiddenError(asked, "is on another host (--other-hosts)");
  });
  if (answer.status === "unchanged") return undefined;
  const { validators: given } = answer;
  const { lastModified } = given;
  const modified = lastModified === undefined ? undefined : readHttpDate(lastModified);
  return { ...(await receive(answer.body, wanted, incoming)), validators: given, modified };
}

/**
 * Writes the bytes of a resource into a file of its own.
 *
 * @throws {HarvestError} where they are not what its list states; no more of them is read then
 */
export async function receive(
  body: AsyncIterable<Uint8Array>,
  { url, hash, length }: Described,
  incoming: string,
): Promise<Pick<Arrived, "hash" | "length">> {
  const bytes = new DigestedBytes(body, listedDigest(hash ?? undefined));
  // Synchronous: a page is a few chunks, and a thread's round trips cost more than writing them.
  const file = openSync(incoming, "wx");
  try {
    for await (const chunk of bytes) {
      if (length !== null && bytes.length > length) throw ofOtherLength(url);
      writeFileSync(file, chunk);
    }
  } finally {
    closeSync(file);
  }
  if (length !== null && bytes.length !== length) throw ofOtherLength(url);
  const { sha256, isAsListed } = bytes.finish();
  if (!isAsListed) throw differentError(url, "has another hash than its list states");
  return { hash: sha256, length: bytes.length };
}

function ofOtherLength(url: string): HarvestError {
  return differentError(url, "is longer or shorter than its list states");
}
