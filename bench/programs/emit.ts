/** Publishes a site: `emit <options as JSON>`. */
import { emit } from "@rs-emit/core";

const [, , options = ""] = process.argv;
await emit({ ...JSON.parse(options), testAddress: true });
