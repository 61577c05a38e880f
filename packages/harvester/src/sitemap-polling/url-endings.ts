/** How the address of one page may end: generators and hosts drop these, or add them. */
const ENDINGS = ["", "/", ".html", ".htm", "/index.html", "/index.htm"];

const ENDING = /(?:\/index\.html?|\.html?|\/)$/;

/**
 * The other addresses that a page may have had before its list was spelled anew.
 *
 * @param url absolute, as `URL` writes it
 */
export function otherSpellings(url: string): string[] {
  const [address = ""] = url.split("?", 1);
  const query = url.slice(address.length);
  const stem = address.replace(ENDING, "");
  return ENDINGS.map((ending) => stem + ending)
    .filter((other) => other !== address)
    .map((other) => other + query);
}
