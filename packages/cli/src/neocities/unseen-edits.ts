import { basename } from "node:path/posix";
import { count, list, RESOURCE_LIST } from "@rs-emit/core/words";
import { CommandError, EXIT } from "../errors.ts";
import { isFetchable, mayBeDocument } from "./files.ts";
import { pullCommand } from "./live.ts";
import { type Choices, choiceFor } from "./pull-plan.ts";
import { type FilePair, type NeocitiesSite, withSiteLog } from "./site-log.ts";

interface SeenUpload extends NeocitiesSite {
  readonly choices?: Choices;
}

const PAGE = /\.[sx]?html?$/i;

/**
 * Files that were written or edited on the site by other means are in no log, so an upload would undo the edit,
 * or delete the file. They are newer than the Resource List, which is uploaded last. Throws CommandError.
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
  if (choices.mine === true) return;
  const published = Math.max(...lists);
  const suspected = pairs.filter(({ path, here, there }) => {
    if (there === undefined || here?.sha1 === there.sha1 || !isFetchable(path)) return false;
    if (here?.isDocument ?? mayBeDocument(path)) return false;
    if (choiceFor(path, choices) === "mine") return false;
    const isSurplus = deletes && here === undefined;
    if (lists.length === 0) return isSurplus;
    // An upload that deleted nothing left the page there, and its Resource List is newer.
    return there.updated >= published || (isSurplus && PAGE.test(path));
  });
  if (suspected.length === 0) return;
  const documents = pairs.filter(({ path }) => mayBeDocument(path) && isFetchable(path));
  const wanted = [...new Set([...documents, ...suspected])];
  const edited = await withSiteLog(upload, wanted, async (compared, bytesOf) => {
    const isUnseen = async (pair: FilePair): Promise<boolean> => {
      const { path, here, there } = pair;
      const known = await compared.known(path, bytesOf(pair));
      if (known.isLogged) {
        return !known.isDescribed && (here !== undefined || deletes || known.isListed);
      }
      if (there === undefined) return false;
      // For a file in no log, times decide: the local file was uploaded before the site's edit.
      if (here !== undefined) return here.written < there.updated;
      return deletes && (known.isLoggable || there.updated > published);
    };
    const found: string[] = [];
    for (const pair of suspected) if (await isUnseen(pair)) found.push(pair.path);
    return found;
  });
  if (edited.length > 0) throw editedThere(upload, edited, deletes);
}

const SHOWN = 10;

function editedThere(
  { url, folder }: SeenUpload,
  paths: readonly string[],
  deletes: boolean,
): CommandError {
  return new CommandError({
    code: "NEOCITIES_EDITED",
    problem:
      `${count(paths.length, "file was", "files were")} written or edited on the site by other means: ` +
      `${list(paths, SHOWN)}. An upload would undo that${deletes ? ", or delete the file" : ""}. Nothing was sent.`,
    cure:
      `Fetch what is newer there (${pullCommand(url, folder)}), then publish and upload again: what was edited ` +
      "here stays. Where your own state is to go over the site's, name the files with --mine.",
    option: "pull",
    exitCode: EXIT.failed,
  });
}
