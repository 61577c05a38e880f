import type { KyselyPlugin } from "kysely";
import type { CheckResult } from "../../packages/harvester/src/check/decide.ts";
import type { Harvester } from "../../packages/harvester/src/check/harvester.ts";

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
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      live();
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const { database, transport, settings, now, random } = harvester;
  try {
    await check({
      database: database.withPlugin(plugin),
      transport: {
        get: async (url, validators) => {
          live();
          return transport.get(url, validators);
        },
      },
      settings,
      now,
      random,
    });
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  }
}
