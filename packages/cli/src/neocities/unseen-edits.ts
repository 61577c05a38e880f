import { basename } from "node:path/posix";
import type { ComparedFiles } from "@rs-emit/core";
import { count, list, RESOURCE_LIST } from "@rs-emit/core/words";
import { CommandError, EXIT } from "../errors.ts";
import { mayBeDocument } from "./files.ts";
import { pullCommand } from "./live.ts";
import { isFetchable } from "./names.ts";
import { type Choices, choiceFor } from "./pull-plan.ts";
import { type FilePair, type NeocitiesSite, withSiteLog } from "./site-log.ts";

interface SeenUpload extends NeocitiesSite {
  readonly choices?: Choices;
}

const PAGE = /\.[sx]?html?$/i;

/**
 * Files that were edited on the site by other means are in no log, so an upload would undo the edit. They are
 * newer than the Resource List, which is uploaded last. Throws CommandError.
 * @param deletes whether files that the folder lacks are deleted
 */
export async function refuseUnseenEdits(
  upload: SeenUpload,
  pairs: readonly FilePair[],
  deletes: boolean,
): Promise<void> {
  const { choices = {} } = upload;
  const lists = pairs.flatMap(({ path, there }) =>
    there !== undefined && basename(path) === RESOURCE_LIST ? [there.updated] : [],
  );
  if (lists.length === 0 || choices.mine === true) return;
  const published = Math.max(...lists);
  const suspected = pairs.filter((pair) => {
    const { path, here, there } = pair;
    if (there === undefined || here?.sha1 === there.sha1 || !isFetchable(path)) return false;
    if (here?.isDocument ?? mayBeDocument(path)) return false;
    if (choiceFor(path, choices) === "mine") return false;
    // A page may have been written anew where one was deleted, before the last upload.
    return there.updated >= published || (deletes && here === undefined && PAGE.test(path));
  });
  if (suspected.length === 0) return;
  const documents = pairs.filter(({ path }) => mayBeDocument(path) && isFetchable(path));
  const wanted = [...new Set([...documents, ...suspected])];
  const edited = await withSiteLog(upload, wanted, async (compared, bytesOf) => {
    const found: string[] = [];
    for (const pair of suspected) {
      if (await isUnseen(pair, compared, bytesOf(pair), deletes)) found.push(pair.path);
    }
    return found;
  });
  if (edited.length > 0) throw editedThere(upload, edited);
}

async function isUnseen(
  { path, here, there }: FilePair,
  compared: ComparedFiles,
  bytes: Uint8Array,
  deletes: boolean,
): Promise<boolean> {
  const { isListed, isLogged, isDescribed } = await compared.known(path, bytes);
  // For a file in no log, times decide: the local file was uploaded before the site's edit.
  if (!isLogged) return here !== undefined && there !== undefined && here.written < there.updated;
  return !isDescribed && (here !== undefined || deletes || isListed);
}

const SHOWN = 10;

function editedThere({ url, folder }: SeenUpload, paths: readonly string[]): CommandError {
  return new CommandError({
    code: "NEOCITIES_EDITED",
    problem:
      `${count(paths.length, "file was", "files were")} edited on the site since its log was uploaded: ` +
      `${list(paths, SHOWN)}. An upload would undo that. Nothing was sent.`,
    cure:
      `Fetch what is newer there (${pullCommand(url, folder)}), then publish and upload again: what was edited ` +
      "here stays. Where your own state is to go over the site's, name the files with --mine.",
    option: "pull",
    exitCode: EXIT.failed,
  });
}
