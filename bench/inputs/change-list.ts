import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { generated } from "../places.ts";
import { program } from "../programs.ts";

/** A Change List of so many entries in one document, about 400 bytes each. */
export async function changeList(entries: number): Promise<string> {
  const folder = await generated(`list-${entries}`, (folder) => {
    const [node = "", ...args] = program("write-changes", listIn(folder), String(entries), "full");
    execFileSync(node, args);
  });
  return listIn(folder);
}

function listIn(folder: string): string {
  return join(folder, "changelist.xml");
}
