/** Publishes a site's past: `backfill <options as JSON>`. */
import { backfill } from "@rs-emit/core/backfill";

const [, , options = ""] = process.argv;
await backfill({ ...JSON.parse(options), testAddress: true });
