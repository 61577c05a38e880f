/** Sitemaps in a few signs: `moss/ 10-02` is a page of 2026-10-02. */

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** A plain sitemap of pages. */
export function sitemap(pages: readonly string[], base = "/"): string {
  const urls = pages.map((page) => {
    const [path = "", ...date] = page.split(" ");
    const lastmod = date.length === 0 ? "" : `<lastmod>${dateOf(date.join(" "))}</lastmod>`;
    return `<url><loc>${base}${path}</loc>${lastmod}</url>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${NAMESPACE}>\n${urls.join("")}</urlset>\n`;
}

/** An index of sitemaps, each with or without a date. */
export function sitemapIndex(parts: readonly string[], base = "/"): string {
  const entries = parts.map((part) => {
    const [path = "", date] = part.split(" ");
    const lastmod = date === undefined ? "" : `<lastmod>${dateOf(date)}</lastmod>`;
    return `<sitemap><loc>${base}${path}</loc>${lastmod}</sitemap>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex ${NAMESPACE}>\n${entries.join("")}</sitemapindex>\n`;
}

function dateOf(date: string): string {
  return date.length === 5 ? `2026-${date}` : date;
}
