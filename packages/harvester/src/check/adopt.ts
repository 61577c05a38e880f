import type { Kysely } from "kysely";
import { BlockedError, isBlocked } from "../follow/blocked.ts";
import { checkSoon } from "../follow/check-soon.ts";
import type { Schema } from "../store/schema.ts";
import { NO_LEASE } from "../store/values.ts";
import { claimDescription, sourceAt } from "./claim.ts";
import type { Lease } from "./lease.ts";

/**
 * Keeps where the Source Description of a source was found. Two addresses may lead to one site: the newer
 * source ends then, and the other one, if it was given up, is checked again.
 *
 * @returns the source that has it already
 * @throws {BlockedError} when the host that it was found on is blocked; the source is then, too
 */
export async function adoptDescription(
  database: Kysely<Schema>,
  { source }: Lease,
  descriptionUrl: string,
  now: number,
): Promise<number | undefined> {
  const { id } = source;
  const host = new URL(descriptionUrl).hostname;
  const outcome = await database.transaction().execute(async (transaction) => {
    await claimDescription(transaction, descriptionUrl);
    const other = await sourceAt(transaction, descriptionUrl, id);
    if (other !== undefined) {
      await transaction.deleteFrom("source").where("id", "=", id).execute();
      if (other.state !== "followed") await checkSoon(transaction, other.id, now);
      return other.id;
    }
    const isRefused = await isBlocked(transaction, host);
    const values = isRefused
      ? { host, state: "blocked" as const, next_check: null, ...NO_LEASE }
      : { host, description_url: descriptionUrl };
    await transaction.updateTable("source").set(values).where("id", "=", id).execute();
    return isRefused ? ("blocked" as const) : undefined;
  });
  if (outcome === "blocked") throw new BlockedError(host);
  return outcome;
}
