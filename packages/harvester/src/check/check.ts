import { readDescriptions } from "../describe/descriptions.ts";
import { discover } from "../discover/discover.ts";
import { HarvestError } from "../errors.ts";
import { BusyError } from "../fetch/errors.ts";
import { readSource } from "../read/read-source.ts";
import { rememberedDocuments } from "../record/documents.ts";
import { recordFailure } from "../record/failure.ts";
import { recordReading } from "../record/reading.ts";
import { adoptDescription } from "./adopt.ts";
import { StoppedError, UnexpectedError } from "./errors.ts";
import { giveBack } from "./give-back.ts";
import type { Harvester } from "./harvester.ts";
import { type Lease, releaseHost, takeLease } from "./lease.ts";
import { postpone } from "./postpone.ts";
import type { CheckResult } from "./result.ts";

/**
 * Checks a source once: reads what it has published since, takes what is new, and keeps that together with
 * what to ask for next time (IFCC-0001, "Checking for Updates").
 *
 * It does not throw for what is wrong with the source: that is kept, for its followers to see.
 */
export async function checkSource(harvester: Harvester, sourceId: number): Promise<CheckResult> {
  const { database, now } = harvester;
  const lease = await takeLease(database, sourceId, now());
  if ("held" in lease) return postpone(harvester, sourceId, lease);
  let result: CheckResult | undefined;
  try {
    result = await examine(harvester, lease);
  } catch (thrown) {
    if (thrown instanceof StoppedError) {
      await giveBack(database, lease);
      return { kind: "postponed", until: now() };
    }
    const error = thrown instanceof HarvestError ? thrown : unexpected(lease, thrown);
    result = await recordFailure(harvester, lease, error);
  } finally {
    await releaseHost(database, lease, busyUntil(result));
  }
  return result;
}

/** Until when the host asked to be left alone. */
function busyUntil(result: CheckResult | undefined): number | undefined {
  if (result?.kind !== "failed") return undefined;
  return result.error instanceof BusyError ? result.error.until : undefined;
}

async function examine(harvester: Harvester, lease: Lease): Promise<CheckResult> {
  const { database, transport, settings, now } = harvester;
  const { source } = lease;
  const descriptionUrl = source.description_url ?? (await discover(transport, source.address));
  if (source.description_url === null) {
    const into = await adoptDescription(database, lease, descriptionUrl);
    if (into !== undefined) return { kind: "merged", into };
  }
  const remembered = await rememberedDocuments(database, source.id);
  const reading = await readSource(transport, {
    descriptionUrl,
    remembered,
    options: settings,
    now,
  });
  const descriptions = await readDescriptions(transport, reading, remembered);
  return recordReading(harvester, lease, reading, descriptions);
}

function unexpected({ source }: Lease, thrown: unknown): UnexpectedError {
  return new UnexpectedError(source.address, thrown);
}
