/** An error breaks a rule that must hold, a warning one that should. */
export type Level = "error" | "warning" | "note";

/** A rule about what a host and others do between a publication and its followers. */
export interface HostRuleWords {
  readonly level: Level;
  readonly what: string;
  readonly why: string;
  /** What to do in general. Findings have their own, more exact cure. */
  readonly cure: string;
  /** Whether only a live site can break it. */
  readonly live?: true;
}

const RULES = {
  "nothing-published": {
    level: "error",
    what: "A Source Description or a Capability List is published.",
    why: "Programs that follow find no change log at all.",
    cure: "Publish the site, and upload all of the folder.",
  },
  "no-log": {
    level: "error",
    what: "The site was built with its change log.",
    why: "Followers hear of nothing more, and the log that was deployed before may be lost.",
    cure: "Deploy the last publication that had its log again, or publish with a copy of that folder (`previous`).",
  },
  "next-run": {
    level: "error",
    what: "rs-emit can continue the log: its documents are there, byte for byte, and fit each other.",
    why: "The next run stops, and followers hear of nothing more until the documents are whole again.",
    cure: "Restore the last publication, all of it, and upload files as they are: nothing may rewrite them.",
  },
  "dot-folder": {
    level: "error",
    what: "The folder `.well-known` is uploaded and served.",
    why: "Programs look there first. Without it they find the log only by links in pages.",
    cure: "Upload `.well-known/resourcesync`. The page of your host in docs/deploy says how.",
  },
  "below-root": {
    level: "note",
    what: "The Source Description is at the root of its host.",
    why: "Programs that look at the root only do not find the log.",
    cure: "Let every page link to its log.",
  },
  "other-base": {
    level: "error",
    what: "The documents are served under the address that they name.",
    why: "Followers are sent to another address, where neither the log nor the pages are.",
    cure: "Publish with the address at which the site is served.",
  },
  robots: {
    level: "warning",
    what: "robots.txt lets programs read the documents.",
    why: "Harvesters and search engines that obey it do not read them, so nobody hears of changes.",
    cure: "Allow the documents there, or refuse less.",
  },
  "no-answer": {
    level: "error",
    what: "The host answers.",
    why: "Followers cannot read it now, and give up after some time.",
    cure: "Check the address and the host, then check again.",
    live: true,
  },
  status: {
    level: "error",
    what: "Documents and resources that are listed answer with status 200.",
    why: "Followers cannot read it now, and give up after some time.",
    cure: "Find out at the host what keeps it from being served.",
    live: true,
  },
  unreadable: {
    level: "error",
    what: "Documents are well-formed XML of the Sitemap protocol.",
    why: "A program stops at the first mistake; what the document says is lost.",
    cure: "Let rs-emit write it again, or correct the place.",
  },
  "too-much": {
    level: "note",
    what: "A publication is small enough to be checked whole.",
    why: "What was not read is not judged.",
    cure: "Check its collections one by one.",
  },
  orphan: {
    level: "warning",
    what: "Every document of the folder is linked from another one.",
    why: "Followers never find it. If it is part of the log, its changes are lost.",
    cure: "Delete the file if it is a left-over. Publish again if it should be linked.",
  },
  "document-bytes": {
    level: "error",
    what: "A list has the hash and length that its index gives.",
    why: "The log and its index are of different publications. Followers miss or repeat changes.",
    cure: "Upload the whole folder again.",
  },
  "resource-missing": {
    level: "error",
    what: "Every resource in a Resource List exists.",
    why: "Followers are sent to a page that is not there.",
    cure: "Publish again after the build, and upload everything.",
  },
  "resource-bytes": {
    level: "error",
    what: "A resource has the hash and length that its Resource List gives.",
    why: "The log is not of this site: copies are called broken, or a change is not reported.",
    cure: "Run rs-emit after the last step that changes pages, and upload everything.",
  },
  "resource-rewritten": {
    level: "warning",
    what: "The host serves pages as they were uploaded.",
    why: "Programs that copy the site compare hashes, and call every such page broken.",
    cure: "Turn off the host's function that rewrites pages.",
    live: true,
  },
  "resource-type": {
    level: "warning",
    what: "A resource is served with the media type that its Resource List gives.",
    why: "Programs that copy the site store it as something else.",
    cure: "Correct the host's media types.",
    live: true,
  },
  "package-missing": {
    level: "error",
    what: "Every package that a dump lists exists.",
    why: "Programs that copy the site fetch every page by itself, or fail.",
    cure: "Upload the packages, or publish without dumps where the host refuses .zip files.",
  },
  "package-bytes": {
    level: "error",
    what: "A package has the hash and length that its dump gives.",
    why: "Programs that copy the site throw the package away, and fetch every page by itself.",
    cure: "Publish again, and upload the whole folder.",
  },
  "package-manifest": {
    level: "error",
    what: "The copy of a manifest that a dump links is the manifest in the package.",
    why: "Followers decide by the copy whether to fetch the package, and decide wrongly.",
    cure: "Publish both again, and upload the whole folder.",
  },
  "deleted-served": {
    level: "note",
    what: "A page that the log calls deleted is not served.",
    why: "Followers have read that it is gone.",
    cure: "Delete it on the host. Leave it if you only took it out of the log.",
    live: true,
  },
  redirect: {
    level: "warning",
    what: "Listed addresses answer themselves, without a redirect.",
    why: "Followers know a page by its listed address, readers by another: one page counts as two.",
    cure: "List the addresses at which the host serves the pages.",
    live: true,
  },
  "content-type": {
    level: "warning",
    what: "Documents are served as XML.",
    why: "Some programs read only what is called XML, and browsers may run what is called HTML.",
    cure: "Serve .xml files as application/xml.",
    live: true,
  },
  compression: {
    level: "note",
    what: "Large documents are compressed on their way.",
    why: "Each visit of each follower costs ten times as much.",
    cure: "Turn on compression for XML at the host.",
    live: true,
  },
  "stale-copy": {
    level: "warning",
    what: "Caches give the document as it is now.",
    why: "Followers see new changes late, or lists that do not fit each other.",
    cure: "Clear the host's cache after uploads, or let XML be cached for minutes only.",
    live: true,
  },
  "long-cache": {
    level: "warning",
    what: "Caches keep what each publication writes anew for a day at most.",
    why: "Followers hear of changes that much later, and read lists of different publications.",
    cure: "Let XML be cached for minutes only.",
    live: true,
  },
  "catch-all": {
    level: "warning",
    what: "An address that does not exist answers 404.",
    why: "Programs cannot tell a deleted page from one that is there.",
    cure: "Let missing addresses answer with status 404.",
    live: true,
  },
  "page-link": {
    level: "warning",
    what: "Pages link to their change log.",
    why: "Somebody who reads a page cannot follow the site by its address.",
    cure: "Add the link element to the head of your pages.",
  },
  "page-link-target": {
    level: "error",
    what: "The links in pages lead to the change log of their collection.",
    why: "Programs follow that link first. It leads them to nothing, or to another log.",
    cure: "Correct the link element.",
  },
  "feed-missing": {
    level: "error",
    what: "The feed that pages link to exists.",
    why: "Readers who subscribe get an error.",
    cure: "Upload it, or take the link out.",
  },
  "feed-unreadable": {
    level: "error",
    what: "The feed is an Atom feed.",
    why: "Feed readers refuse it.",
    cure: "Publish again, and upload it.",
  },
  "feed-stale": {
    level: "warning",
    what: "The feed has the newest changes of the log.",
    why: "Subscribers do not hear of the newest changes.",
    cure: "Upload the feed together with the log.",
  },
  "sitemap-missing": {
    level: "error",
    what: "A sitemap that is named is there.",
    why: "Search engines report it in their consoles, and find pages late or never.",
    cure: "Publish again, and upload everything.",
  },
  "sitemap-unreadable": {
    level: "error",
    what: "The sitemap is whole, and well-formed.",
    why: "Search engines leave out what follows the mistake, or all of it.",
    cure: "Publish again, and upload it.",
  },
  "sitemap-named": {
    level: "warning",
    what: "robots.txt names the sitemap.",
    why: "Search engines that were not told of it in their consoles do not find it.",
    cure: "Write its Sitemap line into robots.txt; the option robots does.",
  },
  "sitemap-gone": {
    level: "warning",
    what: "The pages of a sitemap are there.",
    why: "Search engines ask for pages that are gone, and trust the sitemap less.",
    cure: "Publish again after the build, and upload the sitemap too.",
  },
  "sitemap-stale": {
    level: "warning",
    what: "The sitemap is of the publication that the log ends with.",
    why: "Search engines do not hear of the newest pages and changes.",
    cure: "Publish again, and upload everything.",
  },
  "sitemap-future": {
    level: "warning",
    what: "No date of the sitemap is in the future.",
    why: "If one date is wrong, search engines may ignore all dates of the site.",
    cure: "Set the clock of the machine that publishes.",
  },
  "sitemap-one-date": {
    level: "warning",
    what: "The dates of the sitemap are those of its pages.",
    why: "Where all pages have the date of the build, search engines believe none.",
    cure: "Let the dates be those of the contents; the option sitemap does.",
  },
} satisfies Readonly<Record<string, HostRuleWords>>;

export type HostRule = keyof typeof RULES;

/** The rules that documents alone cannot break. */
export const HOST_RULES: Readonly<Record<HostRule, HostRuleWords>> = RULES;
