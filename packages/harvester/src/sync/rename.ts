import type { CopyState } from "./copy-state.ts";
import { fileOf, NAMING } from "./file-name.ts";
import type { CopyFolder } from "./folder.ts";

/**
 * Moves the files of a copy that an earlier version has named otherwise. Where they go is in the books before any of
 * them moves, so that a run which is killed is ended by the next one.
 */
export async function renameFiles(state: CopyState, folder: CopyFolder): Promise<void> {
  if (state.naming !== NAMING) {
    nameAnew(state);
    state.naming = NAMING;
    state.commit();
  }
  for (const { key, origin } of state.moves()) {
    const known = state.file(key);
    const actual = await folder.hashOf(origin);
    // What somebody changed is theirs; its resource is fetched again, to its new name.
    if (known === undefined || actual === undefined || actual !== known.hash) continue;
    if (folder.look(known.file).found === "nothing") folder.move(origin, known.file);
    else folder.remove(origin);
  }
  state.forgetMoves();
  state.commit();
}

/** Names that are as they should be stay, and the others take what they leave free. */
function nameAnew(state: CopyState): void {
  const { site } = state;
  if (site === undefined) return;
  state.freeNames();
  const nameOf = (url: string) => fileOf(url, site, (folded) => state.taken(folded));
  for (const { key, url, file } of state.nameless()) {
    if (nameOf(url) === file) state.name(key, file);
  }
  for (const { key, url } of state.nameless()) state.move(key, nameOf(url));
}
