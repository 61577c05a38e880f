const URLSET =
  '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">';
const BEGIN = Math.floor(Date.now() / 1000) - 10 * 86_400;

/**
 * What a source with one collection serves.
 *
 * @param changes entries of its Change List
 * @returns `undefined` where there is no such document
 */
export function documentOf(path: string, site: string, changes: number): string | undefined {
  switch (path) {
    case "/.well-known/resourcesync":
      return `${URLSET}<rs:md capability="description"/><url><loc>${site}capabilitylist.xml</loc><rs:md capability="capabilitylist"/><rs:ln rel="describes" href="${site}"/></url></urlset>`;
    case "/capabilitylist.xml":
      return `${URLSET}<rs:ln rel="up" href="${site}.well-known/resourcesync"/><rs:ln rel="describes" href="${site}"/><rs:md capability="capabilitylist"/><url><loc>${site}changelist.xml</loc><rs:md capability="changelist"/></url></urlset>`;
    case "/changelist.xml":
      return changeList(site, changes);
    default:
      return undefined;
  }
}

function changeList(site: string, count: number): string {
  const head = `${URLSET}<rs:ln rel="up" href="${site}capabilitylist.xml"/><rs:md capability="changelist" from="${datetime(0)}"/>`;
  const changes = Array.from({ length: count }, (_, at) => changeOf(site, at));
  return `${head}${changes.join("")}</urlset>`;
}

function changeOf(site: string, at: number): string {
  const time = datetime(at);
  const hash = String(at).padStart(64, "0");
  return `<url><loc>${site}pages/${at}/</loc><lastmod>${time}</lastmod><rs:md change="updated" datetime="${time}" hash="sha-256:${hash}" length="1234" type="text/html"/></url>`;
}

function datetime(at: number): string {
  return `${new Date((BEGIN + at) * 1000).toISOString().slice(0, 19)}Z`;
}
