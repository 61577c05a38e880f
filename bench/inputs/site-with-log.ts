import { createHash } from "node:crypto";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { emit } from "@rs-emit/core";
import type { Change } from "../../packages/core/dist/model/log.js";
import { appendChanges } from "../../packages/core/dist/write/append.js";
import { composeIndex } from "../../packages/core/dist/write/change-lists.js";
import { generated } from "../places.ts";
import { pageName, writePages } from "./pages.ts";

const PAGES = 1000;
const SITE = "https://example.org/";
const YEARS = 20;
const PUBLICATION = Date.UTC(2026, 0) / 1000;
const BEGINNING = PUBLICATION - YEARS * 365 * 86_400;

/** A site of 1,000 pages with a log of so many changes, in 240 months. */
export function siteWithLog(changes: number): Promise<string> {
  return generated(`log-${changes}`, async (folder) => {
    writePages(folder, PAGES, "published", 1000);
    const now = new Date(PUBLICATION * 1000);
    const options = { folder, url: SITE, history: "files", previous: "none", now } as const;
    await emit({ ...options, anyFolder: true, testAddress: true });
    await replaceLog(folder, changes);
  });
}

async function replaceLog(folder: string, changes: number): Promise<void> {
  for (const name of globSync("changelist/*.xml", { cwd: folder })) rmSync(join(folder, name));
  const nothing = { closed: [], pending: [] };
  const request = { collection: SITE, period: "month", time: PUBLICATION, limits: {} } as const;
  const lists = [];
  for (const { reference, bytes } of appendChanges(nothing, made(changes), request)) {
    if (bytes !== undefined) writeFileSync(join(folder, reference.name), bytes);
    lists.push(reference);
  }
  const snapshot = createHash("sha256")
    .update(readFileSync(join(folder, "resourcelist.xml")))
    .digest("hex");
  const publication = PUBLICATION;
  const facts = { collection: SITE, id: SITE, publication, previous: undefined, snapshot };
  writeFileSync(join(folder, "changelist.xml"), await composeIndex(lists, facts));
}

function made(count: number): Change[] {
  return Array.from({ length: count }, (_, at) => {
    const time = BEGINNING + Math.floor((at * (PUBLICATION - BEGINNING)) / count);
    const url = SITE + pageName(at % PAGES);
    const title = `Page ${at % PAGES}`;
    return { url, kind: "updated", datetime: time, lastmod: time, title };
  });
}
