/** What every expected failure of the harvester has: a stable `code`, and a message in plain words. */
export abstract class HarvestError extends Error {
  abstract readonly code: string;
  override get name(): string {
    return this.constructor.name;
  }
}
