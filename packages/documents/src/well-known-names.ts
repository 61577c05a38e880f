/** Where programs look for a site's Source Description, below its root (ResourceSync 1.1, section 8). */
export const SOURCE_DESCRIPTION = ".well-known/resourcesync";

/** The feed that rs-emit writes beside a log. */
export const FEED = "changes.atom";

/** The beginning of the comment that rs-emit writes into each of its documents. */
export const GENERATOR_MARK = " Written by rs-emit.";
