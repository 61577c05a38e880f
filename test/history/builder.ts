import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestRepository } from "../../packages/core/test/support/repository.ts";
import { filesIn } from "../model/documents.ts";

/** How a toy builder names the page of a source, by the path below `content/`. */
export type Naming = (source: string) => string;

export const NAMINGS: Record<"flat" | "pretty", Naming> = {
  flat: (source) => source.replace(/\.md$/, ".html"),
  pretty: (source) =>
    /(?:^|\/)index\.md$/.test(source)
      ? source.replace(/\.md$/, ".html")
      : source.replace(/\.md$/, "/index.html"),
};

/** Builds `content/` into `dist/`, which git ignores: each page has its source's text. */
export function build(repository: TestRepository, naming: Naming): void {
  const dist = repository.path("dist");
  rmSync(dist, { recursive: true, force: true });
  for (const source of filesIn(repository.path("content"))) {
    const page = join(dist, naming(source));
    mkdirSync(dirname(page), { recursive: true });
    writeFileSync(page, `<main>${readFileSync(repository.path("content", source), "utf8")}</main>`);
  }
}

/**
 * Which page a source made, by the design: a living one what it makes, a vanished one what the rule
 * says on which every surviving page of its folder agrees. Each naming is such a rule.
 */
export function certainPage(
  source: string,
  living: ReadonlySet<string>,
  naming: Naming,
): string | undefined {
  if (living.has(source)) return naming(source);
  const surviving = [...living].filter((one) => dirname(one) === dirname(source));
  const agreed = Object.values(NAMINGS).filter((rule) =>
    surviving.every((one) => rule(one) === naming(one)),
  );
  const pages = new Set(agreed.map((rule) => rule(source)));
  const [page] = pages;
  return surviving.length > 0 && pages.size === 1 ? page : undefined;
}
