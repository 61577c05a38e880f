/** What a follower can do about a problem, by its code. */
const ADVICE: Readonly<Record<string, string>> = {
  NO_SOURCE:
    "Look whether the address is right. If it is, the site does not say yet what changes on it: its author has " +
    "to publish that first. You may leave it here; it is looked for again and again.",
  MISSING:
    "The site may just be under repair. If this lasts, ask its author: a document that the site names is not there.",
  BUSY: "There is nothing to do: the site is left alone for as long as it asks.",
  STATUS: "Often this passes by itself. If it lasts, the site's author should know.",
  UNREACHABLE:
    "Look whether the address is right, and whether the site opens in your browser. If it is down, just wait.",
  FORBIDDEN:
    "Only sites that everybody can open are followed here, by http or https and on their ordinary ports, so that " +
    "nobody can look into private networks from outside. Give an address of that kind.",
  OPTED_OUT: "Only the site's owner can change that, in the site's robots.txt.",
  OVERSIZED: "The site's author can split the document into smaller ones.",
  UNREADABLE:
    "The site's author can mend the document; until then nothing new is known of the site.",
  MIDWAY: "There is nothing to do: the site is being published just now.",
  OTHER_HOST:
    "Whoever runs this service can allow it. Following the other site by its own address may do as well.",
  SHARED_LIST: "The site's author can give each collection a list of its own.",
  UNFINISHED: "There is nothing to do: a large site is read in several checks.",
  GONE: "If you have another address of the site, follow that.",
  UNEXPECTED: "That is a fault of this service, not of the site: whoever runs it should know.",
};

const OTHERWISE = "Often this passes by itself. If it lasts, the site's author should know.";

/** What a follower can do about a problem. */
export function adviceOn(code: string): string {
  return ADVICE[code] ?? OTHERWISE;
}
