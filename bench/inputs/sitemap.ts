import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generated } from "../places.ts";

/** Pages in one document. */
const PART = 50_000;
const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n<ROOT xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n';
const BEGIN = Date.UTC(2020, 0, 1);
const MINUTE = 60_000;

/** The folder of a site's sitemap. */
export function sitemaps(pages: number): Promise<string> {
  return generated(`sitemap-${pages}`, (folder) => write(folder, pages));
}

/** Writes `sitemap.xml`, which is an index where the pages are too many for one document. */
function write(folder: string, pages: number): void {
  const parts = Math.ceil(pages / PART);
  const names = Array.from({ length: parts }, (_, part) => `part-${part}.xml`);
  for (const [part, name] of names.entries()) {
    const entries = Array.from({ length: Math.min(PART, pages) }, (_, place) => {
      const at = part * PART + place;
      const lastmod = new Date(BEGIN + at * MINUTE).toISOString();
      return `<url><loc>https://example.org/posts/${at % 97}/a-page-with-a-name-${at}/</loc><lastmod>${lastmod}</lastmod></url>\n`;
    });
    writeFileSync(join(folder, name), document("urlset", entries));
  }
  const entries = names.map(
    (name) => `<sitemap><loc>https://example.org/${name}</loc></sitemap>\n`,
  );
  writeFileSync(join(folder, "sitemap.xml"), document("sitemapindex", entries));
}

function document(root: string, entries: readonly string[]): string {
  return `${HEAD.replace("ROOT", root)}${entries.join("")}</${root}>\n`;
}
