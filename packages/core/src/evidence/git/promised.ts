import { ask } from "./ask.ts";
import { GitFailedError } from "./errors.ts";
import { eachRecord } from "./records.ts";
import type { Repository } from "./repository.ts";
import { streamGit } from "./stream.ts";

/** Remotes that promised a partial clone to give it the rest when asked. */
export async function promisorRemotes(root: string): Promise<readonly string[]> {
  const settings = (await ask(root, ["config", "--local", "--list", "-z"])).split("\0");
  return settings.flatMap((setting) => {
    const [, name] = /^remote\.(.*)\.promisor(?:\n(?:true|yes|on|1))?$/s.exec(setting) ?? [];
    return name === undefined ? [] : [name];
  });
}

/**
 * Fetches what a partial clone lacks of the blobs, all at once.
 * @returns the blobs that are still missing, when the remote could not give them
 */
export async function fetchMissing(
  repository: Repository,
  blobs: readonly string[],
): Promise<ReadonlySet<string>> {
  const missing = await lacking(repository, blobs);
  for (const remote of missing.size > 0 ? await promisorRemotes(repository.root) : []) {
    try {
      await fetchFrom(repository, remote, missing);
      return new Set();
    } catch (error) {
      if (!(error instanceof GitFailedError)) throw error;
    }
  }
  return missing.size > 0 ? lacking(repository, blobs) : missing;
}

const NEWLINE = 10;

/** Looks at what is here only: to ask for one blob by its id would fetch it. */
async function lacking(
  { root }: Repository,
  blobs: readonly string[],
): Promise<ReadonlySet<string>> {
  const missing = new Set(blobs);
  const all = "cat-file --batch-all-objects --batch-check=%(objectname) --unordered".split(" ");
  await eachRecord(
    streamGit(root, all),
    (data, start, end) => {
      missing.delete(data.toString("latin1", start, end));
    },
    NEWLINE,
  );
  return missing;
}

const FETCH = [
  // As git itself asks for what is missing: no talk about what is here, nothing else with it.
  ..."-c fetch.negotiationAlgorithm=noop -c gc.auto=0 -c maintenance.auto=false".split(" "),
  // A remote that is silent for half a minute has failed.
  ..."-c http.lowSpeedLimit=1 -c http.lowSpeedTime=30".split(" "),
  ..."fetch --quiet --no-tags --no-write-fetch-head --recurse-submodules=no".split(" "),
  ..."--filter=blob:none --stdin".split(" "),
];

async function fetchFrom(
  { root }: Repository,
  remote: string,
  blobs: ReadonlySet<string>,
): Promise<void> {
  const ids = [...blobs].map((blob) => `${blob}\n`);
  for await (const _ of streamGit(root, [...FETCH, remote], ids));
}
