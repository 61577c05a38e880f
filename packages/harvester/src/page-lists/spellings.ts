/** How the address of one page may end: generators and hosts drop these, or add them. */
const ENDINGS = ["", "/", ".html", ".htm", "/index.html", "/index.htm"];

const ENDING = /(?:\/index\.html?|\.html?|\/)$/;

/** The other addresses that a page may have had before its list was spelled anew. */
export function otherSpellings(url: string): string[] {
  const { pathname } = new URL(url);
  const stem = pathname.replace(ENDING, "");
  return ENDINGS.map((ending) => stem + ending)
    .filter((path) => path !== pathname && path !== "")
    .map((path) => Object.assign(new URL(url), { pathname: path }).href);
}
