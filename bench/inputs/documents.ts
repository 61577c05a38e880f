import { cpSync, globSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The published documents of a generated site: it has no other XML of its own. */
const DOCUMENTS = ["*.xml", ".well-known", "{change,resource}list"];

export function removeDocuments(site: string): void {
  for (const name of documentsOf(site)) rmSync(join(site, name), { recursive: true });
}

/** Puts one site's documents in the place of another's. */
export function copyDocuments(from: string, to: string): void {
  removeDocuments(to);
  for (const name of documentsOf(from))
    cpSync(join(from, name), join(to, name), { recursive: true });
}

function documentsOf(site: string): string[] {
  return globSync(DOCUMENTS, { cwd: site });
}
