import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EMIT } from "@rs-emit/documents";
import { documentsIn } from "../model/documents.ts";
import { sha256 } from "../model/page.ts";

/**
 * Edits the ResourceSync documents in a folder as if another version had written them: those that state the
 * digest of an edited one state the new one.
 */
export function rewriteDocuments(
  folder: string,
  edit: (text: string, path: string) => string,
): void {
  const documents = new Map<string, string>();
  for (const path of documentsIn(folder).keys()) {
    if (!/(?:about\.xml|\.atom|\.zip)$/.test(path)) {
      documents.set(path, readFileSync(join(folder, path), "utf8"));
    }
  }
  const before = new Map(documents);
  for (const path of before.keys()) refit(documents, path, edit(documents.get(path) ?? "", path));
  for (const [path, text] of documents) {
    if (text !== before.get(path)) writeFileSync(join(folder, path), text);
  }
}

function refit(documents: Map<string, string>, path: string, text: string): void {
  const before = documents.get(path);
  if (before === undefined || before === text) return;
  documents.set(path, text);
  const [old, now] = [before, text].map((one) => {
    const bytes = Buffer.from(one);
    return { hash: sha256(bytes), length: `" length="${bytes.length}"` };
  });
  if (old === undefined || now === undefined) return;
  for (const [other, said] of documents) {
    const says = said
      .replaceAll(old.hash + old.length, now.hash + now.length)
      .replaceAll(old.hash, now.hash);
    refit(documents, other, says);
  }
}

/** A Change List that ends: it is never written again. */
export function isClosedList(text: string): boolean {
  const [head = ""] = /<rs:md [^>]*>/.exec(text) ?? [];
  return text.includes("<urlset") && /capability="changelist"/.test(head) && / until="/.test(head);
}

/**
 * Without attributes of rs-emit's own namespace. A page that a server makes keeps its mark: all else that an
 * entry must have is missing there.
 */
export function without(text: string, names: readonly string[]): string {
  return text.replaceAll(new RegExp(` emit:(?:${names.join("|")})="(?!on-demand")[^"]*"`, "g"), "");
}

/** With attributes of a later version wherever they may stand: of rs-emit's namespace, and of another one. */
export function withUnknown(text: string): string {
  return text
    .replace(/<(?:urlset|sitemapindex) /, `$&xmlns:one="${EMIT}" xmlns:other="urn:uuid:0" `)
    .replaceAll(/<rs:(?:md|ln) /g, '$&one:later="2;a b" other:later="1" ');
}
