import { rmSync } from "node:fs";
import { join } from "node:path";
import { writeFollowers } from "./followers.ts";

/** Writes the cases anew: `node conformance/templates/main.ts`. The files are what counts. */

rmSync(join(import.meta.dirname, "../cases"), { recursive: true, force: true });
writeFollowers();
