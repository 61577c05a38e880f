/** These hosts redirect `about.html` to `about`. */
const HOSTS_WITH_CLEAN_URLS = /\.(?:neocities\.org|pages\.dev)$/;

export function servesCleanUrls(site: string): boolean {
  return HOSTS_WITH_CLEAN_URLS.test(new URL(site).hostname);
}

/** Whether published URLs omit `.html`; `undefined` when all end with a slash. */
export function haveCleanUrls(urls: Iterable<string>): boolean | undefined {
  let clean: boolean | undefined;
  for (const url of urls) {
    if (url.endsWith(".html")) return false;
    if (!/\/$|\.[sx]?html?$/i.test(url)) clean = true;
  }
  return clean;
}
