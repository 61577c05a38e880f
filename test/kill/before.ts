import { utimesSync } from "node:fs";
import { join } from "node:path";
import { contentsOf, writeContents } from "../model/documents.ts";
import { expectPublication } from "../model/oracle.ts";
import type { ClosedLists } from "../model/proof.ts";
import type { Publisher } from "../model/publisher.ts";
import type { State } from "../model/state.ts";
import type { Scenario } from "./scenarios.ts";

/** The files that scenarios begin with, pages included, since they may be written into. They are the same each time, and so are published once. */
const published = new Map<string, ReadonlyMap<string, string>>();

/** Publishes all that a scenario begins with. */
export async function publishBefore(
  publisher: Publisher,
  { name, before }: Scenario,
  closed: ClosedLists,
): Promise<State> {
  const { kind, memory, output, site } = publisher;
  const key = `${kind}, ${site.url}: ${name}`;
  const files = published.get(key);
  let state: State = new Map();
  for (const { elapse, edits } of before) {
    publisher.edit(edits, elapse);
    state = stateAfter(state, publisher);
    if (files !== undefined) continue;
    await publisher.publish();
    closed.prove(output, site.url);
  }
  if (files === undefined) {
    published.set(key, contentsOf(output));
  } else if (before.length > 0) {
    writeContents(output, files);
    for (const [file, { modified }] of site.files) {
      utimesSync(join(output, file), modified, modified);
    }
    memory.keep(output);
    closed.prove(output, site.url);
  }
  return state;
}

/** What publishing the site as it stands must make of what was published. */
export function stateAfter(state: State, { site }: Publisher): State {
  const expected = expectPublication(state, site);
  if ("stops" in expected) throw new Error("no scenario has a wrong clock");
  return expected.state;
}
