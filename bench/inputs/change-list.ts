import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { generated } from "../places.ts";
import { program } from "../programs.ts";

/** A Change List of so many entries in one document, about 400 bytes each; 600 with what pages remember. */
export async function changeList(
  entries: number,
  form: "full" | "remembered" = "full",
): Promise<string> {
  const folder = await generated(`list-${entries}-${form}`, (folder) => {
    const [node = "", ...args] = program("write-changes", listIn(folder), String(entries), form);
    execFileSync(node, args);
  });
  return listIn(folder);
}

function listIn(folder: string): string {
  return join(folder, "changelist.xml");
}
