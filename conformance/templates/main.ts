import { rmSync } from "node:fs";
import { join } from "node:path";
import { changes as copiedChanges } from "./destinations/changes.ts";
import { firstCopies, names } from "./destinations/copies.ts";
import { failures as copyFailures, faults } from "./destinations/failures.ts";
import { packages } from "./destinations/packages.ts";
import { collections } from "./followers/collections.ts";
import { discovery } from "./followers/discovery.ts";
import { entries } from "./followers/entries.ts";
import { failures } from "./followers/failures.ts";
import { forms } from "./followers/forms.ts";
import { lists } from "./followers/lists.ts";
import { time } from "./followers/time.ts";
import { capabilities } from "./judges/capabilities.ts";
import { changes, indexes } from "./judges/changes.ts";
import { hidden, tops } from "./judges/descriptions.ts";
import { dumps } from "./judges/dumps.ts";
import { notifications } from "./judges/notifications.ts";
import { resources } from "./judges/resources.ts";
import { links, oddities, values } from "./judges/values.ts";

/** Writes the cases anew: `node conformance/templates/main.ts`. The files are what counts. */

rmSync(join(import.meta.dirname, "../cases"), { recursive: true, force: true });
const followers = [discovery, collections, lists, entries, forms, time, failures];
const documents = [tops, hidden, capabilities, changes, indexes, resources];
const judges = [...documents, values, oddities, links, dumps, notifications];
const destinations = [firstCopies, names, copiedChanges, faults, copyFailures, packages];
for (const write of [...followers, ...judges, ...destinations]) write();
