import type { Line } from "../line.ts";
import { backfill } from "./backfill.ts";
import { builders } from "./builders.ts";
import { continuation } from "./continuation.ts";
import { copy } from "./copy.ts";
import { dates } from "./dates.ts";
import { day } from "./day.ts";
import { distance } from "./distance.ts";
import { dump } from "./dump.ts";
import { excerpts } from "./excerpts.ts";
import { feeds } from "./feeds.ts";
import { flat } from "./flat.ts";
import { harvest } from "./harvest.ts";
import { history } from "./history.ts";
import { hosting } from "./hosting.ts";
import { lists } from "./lists.ts";
import { log } from "./log.ts";
import { pages } from "./pages.ts";
import { reading } from "./reading.ts";
import { records } from "./records.ts";
import { sitemap } from "./sitemap.ts";
import { startup } from "./startup.ts";
import { sync } from "./sync.ts";
import { upload } from "./upload.ts";
import { workers } from "./workers.ts";
import { writing } from "./writing.ts";

/** The rows by the names that `--only` takes; each measures in so many rounds. */
export const ROWS: Readonly<Record<string, (rounds: number) => Promise<readonly Line[]>>> = {
  startup,
  history,
  backfill,
  writing,
  reading,
  flat,
  log,
  continuation,
  excerpts,
  dump,
  builders,
  dates,
  sitemap,
  harvest,
  lists,
  hosting,
  upload,
  sync,
  copy,
  records,
  distance,
  feeds,
  day,
  pages,
  workers,
};
