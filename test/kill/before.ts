import { expectPublication } from "../model/oracle.ts";
import type { ClosedLists } from "../model/proof.ts";
import type { Publisher } from "../model/publisher.ts";
import type { State } from "../model/state.ts";
import type { Scenario } from "./scenarios.ts";

/** Publishes all that a scenario begins with. */
export async function publishBefore(
  publisher: Publisher,
  { before }: Scenario,
  closed: ClosedLists,
): Promise<State> {
  let state: State = new Map();
  for (const { elapse, edits } of before) {
    publisher.edit(edits, elapse);
    state = stateAfter(state, publisher);
    await publisher.publish();
    closed.prove(publisher.output, publisher.site.url);
  }
  return state;
}

/** What publishing the site as it stands must make of what was published. */
export function stateAfter(state: State, { site }: Publisher): State {
  const expected = expectPublication(state, site);
  if ("stops" in expected) throw new Error("no scenario has a wrong clock");
  return expected.state;
}
