import type { CompiledQuery } from "kysely";
import type { CheckResult } from "../../packages/harvester/src/check/decide.ts";
import type { Harvester } from "../../packages/harvester/src/check/harvester.ts";
import { beforeStatements } from "../../packages/harvester/test/support/statements.ts";
import type { Transport } from "../../packages/reader/src/http/transport.ts";

/** What a process can do no more that was killed. */
class Killed extends Error {
  override readonly name = "Killed";
}

/** Runs a check in a process that dies at a request or a query: from then on it does nothing. */
export async function dying(
  harvester: Harvester,
  at: number,
  check: (harvester: Harvester) => Promise<CheckResult>,
): Promise<void> {
  let left = at;
  const live = () => {
    if (left === 0) throw new Killed();
    left -= 1;
  };
  const { database, transport, settings, now, random } = harvester;
  const get: Transport["get"] = async (...asked) => {
    live();
    return transport.get(...asked);
  };
  // The database undoes what a process had begun that was killed.
  const tell = ({ sql }: CompiledQuery) => {
    if (sql !== "rollback") live();
  };
  try {
    const dying = { database, transport: { get }, settings, now, random };
    await beforeStatements(database, tell, () => check(dying));
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  }
}
