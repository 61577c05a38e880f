/** The one place that says how sites without a Change List are followed. */
export { sitemapReader as otherReader } from "./sitemap/index.ts";
