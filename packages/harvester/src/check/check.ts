import { discover } from "../discover/discover.ts";
import { HarvestError } from "../errors.ts";
import type { Transport } from "../http/answer.ts";
import { readDescriptions } from "../read/description/descriptions.ts";
import { readSource } from "../read/read-source.ts";
import { rememberedDocuments } from "../record/documents.ts";
import { recordFailure } from "../record/failure.ts";
import { recordReading } from "../record/reading.ts";
import { adoptDescription } from "./adopt.ts";
import { StoppedError, UnexpectedError } from "./errors.ts";
import { giveBack } from "./give-back.ts";
import type { Harvester } from "./harvester.ts";
import { type Lease, leaveAlone, releaseHost, takeLease } from "./lease.ts";
import { postpone } from "./postpone.ts";
import type { CheckResult } from "./result.ts";
import { Visit } from "./visit.ts";

/**
 * Checks a source once: reads what it has published since, takes what is new, and keeps that together with
 * what to ask for next time (IFCC-0001, "Checking for Updates").
 *
 * It does not throw for what is wrong with the source: that is kept, for its followers to see.
 */
export async function checkSource(harvester: Harvester, sourceId: number): Promise<CheckResult> {
  const { database, transport, now } = harvester;
  const lease = await takeLease(database, sourceId, now());
  if ("held" in lease) return postpone(harvester, sourceId, lease);
  const visit = new Visit(transport, now);
  try {
    return await examine(harvester, lease, visit);
  } catch (thrown) {
    if (thrown instanceof StoppedError) {
      await giveBack(database, lease);
      return { kind: "postponed", until: now() };
    }
    const error = thrown instanceof HarvestError ? thrown : unexpected(lease, thrown);
    return await recordFailure(harvester, lease, error);
  } finally {
    await leaveAlone(database, visit.busy);
    await releaseHost(database, lease);
  }
}

async function examine(
  harvester: Harvester,
  lease: Lease,
  transport: Transport,
): Promise<CheckResult> {
  const { database, settings: options, now } = harvester;
  const { source } = lease;
  const descriptionUrl = source.description_url ?? (await discover(transport, source.address));
  if (source.description_url === null) {
    const into = await adoptDescription(database, lease, descriptionUrl, now());
    if (into !== undefined) return { kind: "merged", into };
  }
  const remembered = await rememberedDocuments(database, source.id);
  const request = { descriptionUrl, remembered, options, now };
  const reading = await readSource(transport, request);
  const descriptions = await readDescriptions(transport, reading, remembered);
  return recordReading(harvester, lease, reading, descriptions);
}

function unexpected({ source }: Lease, thrown: unknown): UnexpectedError {
  return new UnexpectedError(source.address, thrown);
}
