import { BatchOutput, type Version } from "./batch-output.ts";
import { fetchMissing } from "./promised.ts";
import type { Repository } from "./repository.ts";
import { streamGit } from "./stream.ts";

/**
 * Contents of blobs, in the order asked, through one `git cat-file --batch` that runs no further
 * ahead than a pipe holds. In a partial clone the missing ones are fetched together first, and stay
 * undefined when that fails. The bytes are a view: copy what is kept.
 * @throws {GitFailedError} while reading
 */
export function readVersions(
  repository: Repository,
  blobs: Iterable<string>,
): AsyncGenerator<Version> {
  return repository.partial ? readPromised(repository, [...blobs]) : readBatch(repository, blobs);
}

async function* readBatch({ root }: Repository, blobs: Iterable<string>): AsyncGenerator<Version> {
  const output = new BatchOutput();
  // Without `--buffer` git writes each version by itself, which takes three times as long.
  const batch = ["cat-file", "--batch", "--buffer"];
  for await (const chunk of streamGit(root, batch, lines(blobs))) {
    output.add(chunk);
    for (let version = output.next(); version; version = output.next()) yield version;
  }
}

async function* readPromised(
  repository: Repository,
  blobs: readonly string[],
): AsyncGenerator<Version> {
  const missing = await fetchMissing(repository, blobs);
  // Asked for a missing one, git would go to the remote for it alone, 14 ms each.
  const present = blobs.filter((blob) => !missing.has(blob));
  const versions = readBatch(repository, present);
  try {
    for (const blob of blobs) {
      const answer = missing.has(blob) ? undefined : await versions.next();
      yield answer && !answer.done ? answer.value : { blob, bytes: undefined };
    }
  } finally {
    await versions.return(undefined);
  }
}

const LINES_AT_ONCE = 256;

/** One line a blob, many lines a piece. */
function* lines(blobs: Iterable<string>): Generator<string> {
  let piece: string[] = [];
  for (const blob of blobs) {
    if (piece.push(`${blob}\n`) < LINES_AT_ONCE) continue;
    yield piece.join("");
    piece = [];
  }
  yield piece.join("");
}
