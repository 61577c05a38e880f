import { readFileSync } from "node:fs";
import { groupBy } from "@rs-emit/documents";
import type { BlobVersion } from "../git/blobs.ts";
import { textOf } from "../git/repository.ts";
import { LONGEST_READ } from "../inventory/file-digest.ts";
import { isPage } from "../inventory/file-rules.ts";
import { withLastGood } from "../model/last-good.ts";
import { keyOf, type Statement } from "../model/statement.ts";
import type { ContentRule } from "../page/content/content-rule.ts";
import { exclusionOf } from "../page/head/reader-exclusion.ts";
import { isXhtml } from "../page/placeholders/find-placeholders.ts";
import { mayStateSite } from "../page/quick-tests.ts";
import type { Page } from "../page/read-page.ts";
import { readStatement } from "../page/site-statement.ts";
import type { OutputEvent } from "./output-files.ts";
import type { CommitEvents, PageEvent, ReadVersion } from "./page-history.ts";

export interface VersionRules {
  readonly site: string;
  readonly rule: ContentRule;
  /** Whether the author includes a file, even if it is a fragment. */
  readonly isIncluded: (file: string) => boolean;
  /** Whether it is a page of the site now: then pages link to it, or its version is whole. */
  readonly isPresent: (url: string) => boolean;
  /** Whether the page may contain its site's name. */
  readonly isHome: (url: string) => boolean;
  readonly remembers: boolean;
}

interface ReadVersions {
  readonly unread: number;
  readonly statements: StatementsOfPages;
}

/** All texts of a page's versions, by key. One text may be a heading on one page and a link on another. */
export class StatementsOfPages {
  readonly #pages = new Map<string, Map<number, Statement>>();

  of(url: string): Map<number, Statement> {
    const said = this.#pages.get(url) ?? new Map<number, Statement>();
    this.#pages.set(url, said);
    return said;
  }
}

export type VersionReader = (
  events: readonly Pick<PageEvent, "source" | "hash">[],
) => AsyncIterable<BlobVersion>;

/** A version that a partial clone lacks counts as a page for readers, and has no identities. */
export async function readOutputVersions(
  read: VersionReader,
  events: readonly OutputEvent[],
  { site, rule, isIncluded, isPresent, isHome, remembers }: VersionRules,
): Promise<ReadVersions> {
  const statements = new StatementsOfPages();
  // The bytes behind a link may not be known.
  const isRead = ({ kind, source, hash }: OutputEvent) =>
    kind !== "removed" && isPage(source) && hash !== "";
  const pages = events.filter(isRead);
  if (pages.length === 0) return { unread: 0, statements };
  // A page that never changed also shows which texts are on most pages, and names the site.
  const versions = groupBy(pages, ({ hash }) => hash);
  const { readPage } = await import("../page/read-page.ts");
  let unread = 0;
  for await (const { blob, bytes } of read(pages)) {
    if (bytes === undefined) unread++;
    else {
      const kinds = groupBy(versions.get(blob) ?? [], ({ url, source }) => {
        return `${isXhtml(source)} ${url}`;
      });
      for (const same of kinds.values()) {
        const [{ url, source } = { url: "", source: "" }] = same;
        const said = statements.of(url);
        const memory = remembers ? { had: said } : undefined;
        const version = readVersion(bytes, (head) => {
          return readPage(head, { url, site, rule, xhtml: isXhtml(source), memory });
        });
        for (const one of version.statements) said.set(keyOf(one.mark), one);
        const siteName =
          isHome(url) && mayStateSite(bytes) ? (await readStatement(bytes)).name : undefined;
        for (const event of same) {
          const file = textOf(event.path) ?? "";
          const excluded = exclusionOf(version.excluded, {
            file,
            bytes,
            isIncluded: isIncluded(file),
            isPage: undefined,
            isLinked: isPresent(url),
          });
          const isFragment = excluded === "fragment";
          Object.assign(event, version.facts, {
            isExcluded: excluded !== undefined,
            isFragment,
            siteName,
          });
        }
      }
    }
  }
  return { unread, statements };
}

/** As for a file in the output folder, an identity of the first megabytes would miss changes after them. */
function readVersion(
  bytes: Uint8Array,
  readPage: (head: Uint8Array) => Page,
): Pick<Page, "excluded"> & {
  readonly facts: Omit<ReadVersion, "isExcluded" | "isFragment">;
  readonly statements: readonly Statement[];
} {
  const { excluded, ...read } = readPage(bytes.subarray(0, LONGEST_READ));
  const { title, headings, undecoded, leadsTo } = read;
  const facts = { title, headings, undecoded, leadsTo };
  if (bytes.length > LONGEST_READ) return { excluded, facts, statements: [] };
  const { content, markup, description, blocks, statements = [] } = read;
  return { excluded, facts: { ...facts, content, markup, description, blocks }, statements };
}

export async function addUncommitted(
  events: readonly PageEvent[],
  fileOf: (source: string) => Buffer,
  {
    site,
    rule,
    remembers,
    statements,
  }: Omit<VersionRules, "isIncluded" | "isPresent" | "isHome"> & Pick<ReadVersions, "statements">,
): Promise<void> {
  const pages = events.filter(({ source, blocks }) => blocks !== undefined && isPage(source));
  if (!remembers || pages.length === 0) return;
  const { readPage } = await import("../page/read-page.ts");
  for (const { url, source } of pages) {
    const said = statements.of(url);
    const bytes = readFileSync(fileOf(source));
    const page = readPage(bytes, {
      url,
      site,
      rule,
      xhtml: isXhtml(source),
      memory: { had: said },
    });
    for (const one of page.statements ?? []) said.set(keyOf(one.mark), one);
  }
}

/** Where text cannot be read, what the version before said. */
export function* readableVersions(commits: Iterable<CommitEvents>): Generator<CommitEvents> {
  const last = new Map<string, PageEvent>();
  for (const events of commits) {
    yield events.map((event) => {
      const page = withLastGood(event, last.get(event.url));
      last.set(page.url, page);
      return page;
    });
  }
}
