import { createRequire } from "node:module";
import type * as Zod from "zod";

/** zod's CommonJS build: as ES modules its 95 files take twice as long to load, 50 ms of a short run. */
export const { z }: typeof Zod = createRequire(import.meta.url)("zod");
